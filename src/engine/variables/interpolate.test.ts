/** Tokens and inline code in texts and structures. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { testScope } from "../../../test/support/context.ts"
import { heldBytes } from "../../../test/support/heap.ts"
import { interpolate, singleToken, templateOf, tokensIn } from "./interpolate.ts"
import { interpolateStructure } from "./interpolateStructure.ts"

const scope = testScope({
  variables: { N: "Ann", L: ["a", null, "b"], Q: 'q"1\n', H: "<b>", X: undefined, T: "{{N}}" },
  inline: { "{{N}}.length": 3, "[1]": [1], void: undefined, plain: "{{N}}", half: "😀"[0] },
})

describe("7.3 a text", () => {
  test.each([
    ["Hi {{N}}!", "Hi Ann!"],
    ["{{X}}{{unknown}}", ""],
    ["{{ N }}", ""],
    ["{{L}}", '["a",null,"b"]'],
    [`\${{N}} {N} {{}}`, "$Ann {N} {{}}"],
    [`\`\${{{N}}}\``, `\`\${Ann}\``],
    ["{{T}}", "{{N}}"],
    ["no tokens", "no tokens"],
    ["", ""],
  ])("%s prints %s", (text, printed) => {
    expect(interpolate(text, scope)).toBe(printed)
  })

  test("that is absent prints nothing", () => {
    expect(interpolate(undefined, scope)).toBe("")
  })
})

describe("7.5 inline code", () => {
  test.each([
    ["{{={{N}}.length=}} letters", "3 letters"],
    ["{{=[1]=}}", "[1]"],
    ["[{{=void=}}]", "[]"],
    ["{{={{N}}.fails()=}}!", "!"],
    ["{{={{X}}.length=}}", ""],
    ["{{=plain=}}", "{{N}}"],
    ["{{=half=}}x", "\ufffdx"],
    ["{{=a\nb=}}", ""],
    ["{{=open {{N}}", "{{=open Ann"],
  ])("%s prints %s", (text, printed) => {
    expect(interpolate(text, scope)).toBe(printed)
  })
})

describe("7.3 a mode", () => {
  test("id prints a variable's name in code, even when it is unset", () => {
    expect(interpolate("{{N}} + {{X}} + {{unknown}}", scope, "id")).toBe("vN + vX + ")
  })

  test("json escapes texts and prints lists as arrays", () => {
    expect(interpolate('{"q":"{{Q}}","l":{{L}},"x":"{{X}}"}', scope, "json")).toBe(
      '{"q":"q\\"1\\n","l":["a",null,"b"],"x":""}',
    )
  })

  test("html escapes the angle brackets of values only", () => {
    expect(interpolate("<i>{{H}}</i>", scope, "html")).toBe("<i>&lt;b&gt;</i>")
    const coded = testScope({ inline: { "{{H}}": "<b>" } })
    expect(interpolate("<i>{{={{H}}=}}</i>", coded, "html")).toBe("<i>&lt;b&gt;</i>")
  })

  test("lastOfList prints the last element of a list", () => {
    expect(interpolate("{{L}} {{N}}", scope, "lastOfList")).toBe("b Ann")
  })
})

describe("tokens of a text", () => {
  test("are exactly one, or not", () => {
    expect(singleToken("{{My name}}")).toBe("My name")
    expect(singleToken(" {{N}}")).toBeUndefined()
    expect(singleToken("{{N}}{{N}}")).toBeUndefined()
    expect(singleToken("{{=1=}}")).toBeUndefined()
    expect(singleToken(undefined)).toBeUndefined()
  })

  test("are named once, within inline code too", () => {
    expect(tokensIn("{{A}} {{={{B}} + {{A}}=}} {{C}}")).toEqual(["A", "B", "C"])
    expect(tokensIn("none")).toEqual([])
  })
})

describe("7.4 a structure", () => {
  test("is filled at any depth, save for texts in lists", () => {
    const filled = interpolateStructure(
      { a: "{{N}}", n: 5, list: ["{{N}}", { b: "{{N}}" }, [{ c: "{{N}}" }]], none: null },
      scope,
    )
    expect(filled).toEqual({
      a: "Ann",
      n: 5,
      list: ["{{N}}", { b: "Ann" }, [{ c: "Ann" }]],
      none: null,
    })
  })

  test("drops empty texts in that mode", () => {
    const value = { a: "{{X}}", b: "", c: { d: "{{X}}" }, e: "{{N}}" }
    expect(interpolateStructure(value, scope, { dropsEmpty: true })).toEqual({ c: {}, e: "Ann" })
  })

  test("keeps a member called __proto__ a member", () => {
    const filled = interpolateStructure(JSON.parse('{"__proto__":{"a":"{{N}}"}}'), scope)
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype)
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"a":"Ann"}}')
  })
})

test("literal text is split only at tokens and inline code", () => {
  const signs = fc.constantFrom("{", "}", "{{", "}}", "{{=", "=}}", "=", "a", "\n")
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 20 }), (pieces) => {
      const kinds = templateOf(pieces.join("")).map((part) => typeof part)
      expect(kinds.join(" ")).not.toContain("string string")
    }),
  )
})

test("hostile texts are split in linear time", () => {
  const texts = ["{{=", "{{", "{{a", "{{={{", "{{==}}", "{{=\n", "}}=", "{"].map((piece) =>
    piece.repeat(200_000 / piece.length),
  )
  const startedAt = performance.now()
  for (const text of texts) templateOf(`${text}=}}`)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test("remembered texts with many tokens take little memory", () => {
  const token = (nth: number, text: number) => `{{${(nth * 997 + text).toString(36)}}}`
  const before = heldBytes()
  for (let text = 0; text < 60; text++) {
    templateOf(Array.from({ length: 10_000 }, (_, nth) => token(nth, text)).join(""))
  }
  expect(heldBytes() - before).toBeLessThan(24_000_000)
})
