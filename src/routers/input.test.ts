/** Cleaning: what is dropped and replaced, and that a look at the source never changes the outcome. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { cleanJson } from "./input.ts"

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

test("each value is cleaned once, also when others need cleaning", () => {
  // Twice at each level would be 2^60 times.
  const nested = (levels: number): string =>
    levels === 0 ? "1" : String.raw`{"a":${nested(levels - 1)},"b\u0000":2}`
  expect(JSON.stringify(clean(nested(60)))).toContain('"a":{"a":1,"b":2},"b":2')
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
