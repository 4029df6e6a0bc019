/** Holds the count of values to what JSON is, in whatever parts it comes. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { openJsonWeight } from "./jsonWeight.ts"

const perValue = 64

/** Commas and opening brackets outside of strings. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  const members = Object.values(value)
  return members.reduce((sum: number, member) => sum + countOf(member), Math.max(1, members.length))
}

test("values are counted, signs in strings are not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(50), (value, at) => {
      const bytes = Buffer.from(JSON.stringify({ 'a",[\\': value }))
      const weigh = openJsonWeight()
      const sum = weigh(bytes.subarray(0, at)) + weigh(bytes.subarray(at))
      expect(sum).toBe((countOf(value) + 1) * perValue)
    }),
  )
})

test("too many values are refused", () => {
  expect(() => openJsonWeight()(Buffer.from(`[${"0,".repeat(119_000)}0]`))).not.toThrow()
  const many = Buffer.from(`[${"{},".repeat(70_000)}0]`)
  expect(() => openJsonWeight()(many)).toThrow("The body may hold at most 120000 values")
})
