/** The estimate is accurate enough for the bounds of caches. */
import { expect, test } from "vitest"
import { parsedBytes } from "../../test/support/heap.ts"
import { bytesInMemory } from "../lib/bytesInMemory.ts"

const list = (make: (index: number) => unknown, length = 20_000) =>
  Array.from({ length }, (_, n) => make(n))

/** An object with so many members; `of` makes their names differ from those of others. */
const named = (count: number, of: number | string = "") =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${of} name ${n}`, n]))

/** The members of an object from the nth one on, and then those before it. */
const turned = (value: object, nth: number) => {
  const members = Object.entries(value)
  return Object.fromEntries([...members.slice(nth), ...members.slice(0, nth)])
}

test.each<[string, unknown]>([
  ["empty objects", list(() => ({}))],
  ["empty lists", list(() => [])],
  ["objects of objects", list(() => ({ a: {}, b: {} }))],
  ["blocks", list((n) => ({ id: `block ${n}`, type: "text", content: { richText: [] } }))],
  ["short texts", list((n) => `text ${n}`)],
  ["long texts", list(() => "long ".repeat(40))],
  ["texts of two bytes a character", list(() => "длинный ".repeat(20))],
  ["numbers", list((n) => n / 7)],
  ["an object of many names", named(20_000)],
  ["objects of a name each", list((n) => named(1, n))],
  ["objects of many names each", list((n) => named(100, n), 200)],
  ["objects of the same many names", list(() => named(1_000), 20)],
  ["objects of the same names in other orders", list((n) => turned(named(100), n), 100)],
])("a value parsed from JSON takes no more than the estimate: %s", async (_, value) => {
  const text = JSON.stringify(value)
  const held = await parsedBytes(text)
  expect(held).toBeGreaterThan(0)
  expect(bytesInMemory(JSON.parse(text))).toBeGreaterThan(held * 0.9)
})
