/** Cleaning: what is dropped and replaced, and that a look at the source never changes the outcome. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { finish } from "../engine/steps.ts"
import { cleanJson, readCleanJson } from "./cleanJson.ts"

const clean = (text: string) => cleanJson(JSON.parse(text), text)

test.each([
  ["a NUL", String.raw`{"a":"x\u0000y"}`, { a: "xy" }],
  ["a NUL in a name", String.raw`{"a\u0000":1}`, { a: 1 }],
  ["half a pair", String.raw`["\ud800", "\udc00x"]`, ["\ufffd", "\ufffdx"]],
  ["a whole pair", String.raw`"\ud83d\ude00"`, "😀"],
  ["a prototype", '{"__proto__":{"a":1},"b":2}', { b: 2 }],
  [
    "a disguised prototype",
    String.raw`{"\u005f_proto__":{"a":1},"b":[{"__pro\u0074o__":1}]}`,
    { b: [{}] },
  ],
  ["nothing to clean", '{"a":[1,null,true,"é😀"]}', { a: [1, null, true, "é😀"] }],
])("%s", (_, text, expected) => {
  expect(clean(text)).toEqual(expected)
  expect(Object.getPrototypeOf(Object(clean(text)))).not.toHaveProperty("a")
})

test.each([
  ["clean", "1"],
  ["unclean", String.raw`"\u0000"`],
])("more than 64 levels are refused in %s texts", (_, core) => {
  const nested = (levels: number) => "[".repeat(levels) + core + "]".repeat(levels)
  expect(() => clean(nested(64))).not.toThrow()
  expect(() => clean(nested(65))).toThrow("at most 64 levels")
  expect(() => clean(`{"a":${nested(64)}}`)).toThrow("at most 64 levels")
})

test("the source only saves work", () => {
  const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 })
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      expect(cleanJson(JSON.parse(text), text)).toEqual(cleanJson(JSON.parse(text)))
    }),
  )
})

test("a long text is read in steps to the same, or refused for the same", () => {
  const outcomeOf = (read: () => unknown) => {
    try {
      return read()
    } catch (error) {
      return error instanceof SyntaxError ? "no JSON" : String(error)
    }
  }
  const pad = JSON.stringify("x".repeat(65_530))
  const part = fc.constantFrom(
    ...["[", "]", "{", "}", ",", '"a":', '"b\\u0000":', '"__proto__":', '"__pro\\u0074o__":'],
    ...[
      '"\\u0000"',
      '"\\ud800x"',
      '"é😀"',
      "1",
      "[".repeat(62),
      "]".repeat(62),
      `[${pad},"\\udfff"]`,
    ],
  )
  const texts = fc
    .array(part, { maxLength: 8 })
    .map((parts) => parts.join(""))
    .chain((middle) =>
      fc.constantFrom(middle, `[${middle}]`, `[${pad},${middle}]`, `{"a":${middle}}`),
    )
  fc.assert(
    fc.property(texts, (text) => {
      const read = outcomeOf(() => finish(readCleanJson(text)))
      const expected = outcomeOf(() => clean(text))
      // Depth is seen before the end of the text is.
      if (expected === "no JSON" && String(read).includes("64 levels")) return
      expect(JSON.stringify(read)).toBe(JSON.stringify(expected))
    }),
    { numRuns: 2000 },
  )
})

test("what a long text holds across the ends of its stretches is cleaned, too", () => {
  for (let at = 65_500; at < 65_560; at++) {
    const text = `{"a":"${"x".repeat(at)}\\u0000","b":{"__proto__":1}}`
    expect(finish(readCleanJson(text))).toEqual({ a: "x".repeat(at), b: {} })
    const pairs = `["${"x".repeat(at)}😀\\ud83d\\ude00\\ud83d"]`
    expect(finish(readCleanJson(pairs))).toEqual([`${"x".repeat(at)}😀😀\ufffd`])
  }
})
