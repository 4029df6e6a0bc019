/** Filters over tables. */
import { expect, it } from "vitest"
import { unmetered } from "../budget/fuel.ts"
import { cellPasses, cellText, choose } from "./tableFilter.ts"

it.each([
  ["Equal to", "Ann", "Ann", true],
  ["Equal to", "Ann", "ann", false],
  ["Equal to", "e\u0301", "\u00e9", true],
  ["Not equal", "Ann", "Bob", true],
  ["Contains", "Hello World", " world ", true],
  ["Contains", "x", "", false],
  ["Does not contain", "x", "", true],
  ["Starts with", "Hello", "he", true],
  ["Starts with", "", "", false],
  ["Ends with", "Hello", "LO", true],
  ["Greater than", "10", "9", true],
  ["Less than", "abc", "9", false],
  ["Is set", "", "", false],
  ["Is empty", "", "", true],
  ["Greater or equal to", "9", "9", false],
  [undefined, "a", "a", false],
])("20.7 %s: %j against %j is %s", (operator, cell, value, passes) => {
  expect(cellPasses(operator, cell, value, unmetered())).toBe(passes)
})

it("20.7 reads cells of any kind as text", () => {
  expect([null, undefined, 1, true, { a: 1 }].map(cellText)).toEqual([
    "",
    "",
    "1",
    "true",
    '{"a":1}',
  ])
})

it("20.7 chooses all, the first, the last or a random row", () => {
  const rows = ["a", "b", "c"]
  const chosen = (which: Parameters<typeof choose>[1]) => choose(rows, which, () => 0.5)
  expect(chosen(undefined)).toEqual(rows)
  expect(chosen("First")).toEqual(["a"])
  expect(chosen("Last")).toEqual(["c"])
  expect(chosen("Random")).toEqual(["b"])
  expect(choose([], "Random", () => 0.9)).toEqual([])
})
