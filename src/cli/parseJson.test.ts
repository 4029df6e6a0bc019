/** Where a text stops being JSON. */
import { assert, json, nat, property } from "fast-check"
import { expect, test } from "vitest"
import { NoJson, parseJson } from "./parseJson.ts"

function placeOf(text: string): string {
  try {
    parseJson(text)
    return "none"
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    return `${error.position.line}:${error.position.column}`
  }
}

test.each([
  ['{"groups": [', "1:13"],
  ['{\n  "a": 1,\n}', "3:1"],
  ['{\n  "a": 1,,\n}', "2:10"],
  ["[1, 2, }", "1:8"],
  ["[1 2]", "1:4"],
  ["{ a: 1 }", "1:3"],
  ['{"a" 1}', "1:6"],
  ['["a\nb"]', "1:2"],
  ['["\\x"]', "1:2"],
  ["[01]", "1:2"],
  ["[tru]", "1:2"],
  ["[] []", "1:4"],
  ["", "1:1"],
  ["\n\n  <html>", "3:3"],
  ["{'a': 1}", "1:2"],
])("%j is no JSON at %s", (text, place) => {
  expect(placeOf(text)).toBe(place)
})

test("JSON is read as ever, and a part of it fails at its end, or before", () => {
  assert(
    property(json(), nat(), (text, cut) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
      const part = text.slice(0, cut % (text.length + 1))
      const place = placeOf(part)
      if (place !== "none") expect(Number(place.split(":")[1])).toBeLessThanOrEqual(part.length + 1)
    }),
  )
})
