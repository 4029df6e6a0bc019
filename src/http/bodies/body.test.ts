/** Holds the count of values to what JSON is. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { jsonWeight } from "./body.ts"

const perValue = 64

/** Commas and opening brackets outside of strings. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  const members = Object.values(value)
  return members.reduce((sum: number, member) => sum + countOf(member), Math.max(1, members.length))
}

test("values are counted, signs in strings are not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify({ 'a",[\\': value })
      expect(jsonWeight(text)).toBe((countOf(value) + 1) * perValue)
    }),
  )
})

test("too many values are refused", () => {
  expect(() => jsonWeight(`[${"0,".repeat(119_000)}0]`)).not.toThrow()
  const many = `[${"{},".repeat(70_000)}0]`
  expect(() => jsonWeight(many)).toThrow("The body may hold at most 120000 values")
})
