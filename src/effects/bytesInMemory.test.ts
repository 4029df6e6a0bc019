/** Whether the estimate is worth a bound: caches trust it. */
import { expect, test } from "vitest"
import { heldBytes } from "../../test/support/heap.ts"
import { bytesInMemory } from "./bytesInMemory.ts"

const list = (make: (index: number) => unknown) => Array.from({ length: 20_000 }, (_, n) => make(n))

test.each<[string, unknown]>([
  ["empty objects", list(() => ({}))],
  ["empty lists", list(() => [])],
  ["objects of objects", list(() => ({ a: {}, b: {} }))],
  ["blocks", list((n) => ({ id: `block ${n}`, type: "text", content: { richText: [] } }))],
  ["short texts", list((n) => `text ${n}`)],
  ["long texts", list(() => "long ".repeat(40))],
  ["texts of two bytes a character", list(() => "длинный ".repeat(20))],
  ["numbers", list((n) => n / 7)],
])("a value parsed from JSON takes no more than the estimate: %s", (_, value) => {
  const text = JSON.stringify(value)
  const before = heldBytes()
  const parsed: unknown = JSON.parse(text)
  const held = heldBytes() - before
  expect(bytesInMemory(parsed)).toBeGreaterThan(held * 0.9)
})
