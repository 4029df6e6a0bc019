/** Texts are found as by JavaScript, in time linear in both lengths. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { findText } from "./fits.ts"

test("finds what indexOf finds", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 400 })
  const parts = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 60, maxLength: 90 })
  fc.assert(
    fc.property(texts, parts, texts, fc.nat(500), (before, part, after, from) => {
      const text = before + part + after
      expect(findText(text, part, from)).toBe(text.indexOf(part, from))
      expect(findText(before + after, part, from)).toBe((before + after).indexOf(part, from))
    }),
  )
})

test("searches a text of one letter as fast as any other", () => {
  const sought = `${"a".repeat(1_000_000)}b${"a".repeat(1_000_000)}`
  expect(findText("a".repeat(4_000_000), sought)).toBe(-1)
})
