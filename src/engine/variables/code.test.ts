/** Types, names and scripts of variables in code. */
import { describe, expect, test } from "vitest"
import { testScope } from "../../../test/support/context.ts"
import { readJson } from "../../lib/foreignJson.ts"
import { clientScript, guessType, inlineScript, serverScript, withReturn } from "./code.ts"
import { identifierOf } from "./identifier.ts"
import { inlineCodesIn, readNumber } from "./interpolate.ts"

describe("7.6 the type of a stored value", () => {
  test.each<[string | (string | null)[] | null | undefined, unknown]>([
    [
      ["1", null],
      ["1", null],
    ],
    ["01234", "01234"],
    ["0", 0],
    ["0.5", 0.5],
    ["+33612", "+33612"],
    ["true", true],
    ["false", false],
    ["null", null],
    ["undefined", undefined],
    [" 42 ", 42],
    ["1e3", 1000],
    ["-3", -3],
    ["  ", 0],
    ["1e999", "1e999"],
    // Ids whose last digits a number would lose.
    ["17841400008460056", "17841400008460056"],
    ["-9007199254740993", "-9007199254740993"],
    ["9007199254740991", 9007199254740991],
    ["12abc", "12abc"],
    [null, undefined],
    [undefined, undefined],
  ])("%o is %o", (stored, guessed) => {
    expect(guessType(stored)).toEqual(guessed)
  })
})

describe("8.1 the name of a variable in code", () => {
  test("is its id if that is a valid name", () => {
    expect(identifierOf("cm2abc123")).toBe("cm2abc123")
  })

  test.each([
    "var-1",
    "1a",
    "class",
    "fetch",
    "a b",
    "é",
    "undefined",
  ])("is derived from %s", (id) => {
    const name = identifierOf(id)
    expect(name).not.toBe(id)
    expect(() => new Function(name, `return ${name}`)).not.toThrow()
  })
})

describe("8.1 a script", () => {
  const scope = testScope({
    variables: { Name: "Ann", Num: "41", X: undefined, L: ["a"], Unused: "u" },
  })

  test("for the sandbox has the variables that it mentions", () => {
    expect(serverScript(`return \`\${{{Name}}}\` + {{Num}} + {{X}}`, scope)).toEqual({
      code: `var vX; return \`\${vName}\` + vNum + vX`,
      globals: { vName: "Ann", vNum: 41 },
      mode: "program",
    })
  })

  test("for the client carries them as arguments", () => {
    expect(clientScript("alert({{Name}}, {{X}}, {{L}}, {{unknown}})", scope)).toEqual({
      content: "alert(vName, vX, vL, )",
      args: [{ id: "vName", value: "Ann" }, { id: "vX" }, { id: "vL", value: ["a"] }],
    })
  })

  test("of inline code has every variable whose id occurs", () => {
    expect(inlineScript("{{L}}.at(-1) + vNum", scope.variables, scope.fuel)).toEqual({
      code: "return vL.at(-1) + vNum",
      globals: { vNum: 41, vL: ["a"] },
      mode: "expression",
    })
  })

  test("returns, unless it has a return", () => {
    expect(withReturn("\n 1 + 1")).toBe("return 1 + 1")
    expect(withReturn("if (a) return 1")).toBe("if (a) return 1")
  })
})

test("inline code is found once anywhere in a structure", () => {
  const block = { a: "{{=1=}} {{=2=}}", b: [{ c: "{{=1=}}" }, "{{=3=}}"], d: null, e: 5 }
  expect(inlineCodesIn(block)).toEqual(["1", "2", "3"])
  expect(inlineCodesIn(["{{=4=}}"])).toEqual(["4"])
  expect(inlineCodesIn({ a: "{{N}}" })).toEqual([])
})

test("a number is read from a text, a token, or itself", () => {
  const scope = testScope({ variables: { M: "3,5", W: "word" } })
  expect(readNumber("{{M}}", scope)).toBe(3.5)
  expect(readNumber("12 px", scope)).toBe(12)
  expect(readNumber(0, scope)).toBe(0)
  expect(readNumber("{{W}}", scope)).toBeUndefined()
  expect(readNumber(undefined, scope)).toBeUndefined()
})

test("a report is read as JSON, or unchanged", () => {
  expect(readJson('["x"]')).toEqual(["x"])
  expect(readJson("12")).toBe(12)
  expect(readJson("12345678901234567890")).toBe("12345678901234567890")
  expect(readJson("plain")).toBe("plain")
})
