/** Long texts: in slices they come to the same bytes, and the bytes to the same texts. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeLong, encodeParts, openLengths, writeJson } from "./longText.ts"

const chunksOf = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

test("bytes come to the same text, be they UTF-8 or not, and however they were cut", async () => {
  const parts = fc.constantFrom(
    "a",
    "é",
    "日",
    "🙂",
    "\x80",
    "\xf0",
    "\xe2",
    "\xf0\x9f\x99",
    "\ufeff",
  )
  const made = fc.array(parts, { maxLength: 20 }).map((all) => all.join(""))
  const cuts = fc.array(fc.nat(), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(made, fc.boolean(), cuts, async (text, isRaw, at) => {
      const bytes = Buffer.from(text, isRaw ? "latin1" : "utf8")
      expect(await decodeLong(chunksOf(bytes, at))).toBe(bytes.toString())
    }),
    { numRuns: 2000 },
  )
})

test("texts come to the bytes of all of them", async () => {
  expect((await encodeParts(["é", "", "🙂"])).toString()).toBe("é🙂")
  expect((await encodeParts([])).length).toBe(0)
})

test("JSON is written as a text, or as the bytes of it when it is long", async () => {
  expect(await writeJson({ a: [1] })).toBe('{"a":[1]}')
  const long = { a: [`${"é🙂".repeat(200_000)}\ud83d`], b: undefined }
  expect(await writeJson(long)).toEqual(Buffer.from(JSON.stringify(long)))
})

test("answers may be long that hold a bot, or that come after a long one", () => {
  const long = { list: ["x".repeat(100_000)] }
  const { mayBeLong, note } = openLengths()
  expect([{ bot: long }, { publishedBot: long }].map(mayBeLong)).toEqual([true, true])
  expect([{ bot: "short" }, long, undefined, "x"].map(mayBeLong)).toEqual(Array(4).fill(false))
  note(100_000)
  expect([long, { list: [] }].map(mayBeLong)).toEqual([true, false])
})
