/** Long texts: in slices they come to the same bytes, and the bytes to the same texts. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeLong, encodeLong } from "./longText.ts"

// As long as a piece and a bit: what is random comes to lie across its end.
const pad = "x".repeat(65_530)

test("bytes come to the same text, be they UTF-8 or not", async () => {
  const parts = fc.constantFrom(
    ..."aéž日🙂".split(""),
    "🙂",
    "\x80",
    "\xf0",
    "\xe2",
    "\xf0\x9f\x99",
  )
  const tail = fc.array(parts, { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(tail, fc.boolean(), async (made, isRaw) => {
      const bytes = Buffer.from(
        pad + made.join("") + pad + made.join(""),
        isRaw ? "latin1" : "utf8",
      )
      expect((await decodeLong(bytes)) === bytes.toString()).toBe(true)
      expect((await decodeLong(bytes, 3)) === bytes.toString("utf8", 3)).toBe(true)
    }),
  )
})

test("texts come to the same bytes, halves of pairs included", async () => {
  const tail = fc.string({
    unit: fc.constantFrom("a", "é", "日", "🙂", "\ud83d", "\ude42"),
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(tail, async (made) => {
      const text = pad + made + pad + made
      expect((await encodeLong(text)).equals(Buffer.from(text))).toBe(true)
    }),
  )
})

test("nothing comes to nothing", async () => {
  expect(await decodeLong(Buffer.of())).toBe("")
  expect((await encodeLong("")).length).toBe(0)
})
