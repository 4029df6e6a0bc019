/** JSON written in steps: it is the JSON of the whole, and no step writes much of it. */
import fc from "fast-check"
import { expect, test, vi } from "vitest"
import { jsonPartsOf } from "./json.ts"
import { finish } from "./steps.ts"
import { stretchesOf } from "./stretches.ts"

const long = "x".repeat(20_000)

test("JSON written in steps is the JSON of the whole", () => {
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" })
  const enlarged = fc.constantFrom(
    (value: unknown) => [value],
    (value: unknown) => [long, value, value, [long, value]],
    (value: unknown) => ({ a: value, b: long, c: [value], d: { e: [long], f: value } }),
    (value: unknown) => Array(3_000).fill(value),
    (value: unknown) =>
      Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`${n} "`, value])),
  )
  fc.assert(
    fc.property(json, enlarged, (value, enlarge) => {
      const large = enlarge(value)
      expect(finish(jsonPartsOf(large)).join("") === JSON.stringify(large)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test("members that are undefined are left out, in small objects and in large ones", () => {
  const value = { a: undefined, b: { c: undefined }, d: [{ e: undefined, f: 1 }], g: undefined }
  for (const large of [value, { ...value, long }, { long, ...value }, [long, value]]) {
    expect(finish(jsonPartsOf(large)).join("")).toBe(JSON.stringify(large))
  }
})

test("a long text is written as a whole one is, wherever its pairs and halves lie", () => {
  for (const part of ["🙂", "a🙂", "\ud83d", "a\ude42", "\n\\", "日本語"]) {
    for (const before of ["", "x", "xy"]) {
      const value = [before + part.repeat(70_000)]
      expect(finish(jsonPartsOf(value)).join("") === JSON.stringify(value)).toBe(true)
    }
  }
})

test("the stretches of a text make it up again, without parting a pair", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "🙂", "\ud83d", "\ude42") })
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 7 }), (text, length) => {
      const stretches = [...stretchesOf(text, length)]
      expect(stretches.join("")).toBe(text)
      const ends = stretches.slice(0, -1).map((_, n) => stretches.slice(0, n + 1).join("").length)
      const isPair = (at: number) =>
        /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1))
      expect(ends.filter(isPair)).toEqual([])
    }),
  )
})

test("no step writes more than a piece, wherever the mass lies", () => {
  for (const value of [
    { blocks: Array.from({ length: 8_000 }, (_, id) => ({ id, text: "x".repeat(400) })) },
    { a: [{ b: ["x".repeat(4_000_000)] }] },
    { a: Array(1_000_000).fill({}) },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key ${n}`, [n]])),
  ]) {
    const stringify = vi.spyOn(JSON, "stringify")
    const writing = jsonPartsOf(value)
    let mostInStep = 0
    for (let isDone = false; !isDone; ) {
      const already = stringify.mock.results.length
      isDone = writing.next().done === true
      const written = stringify.mock.results.slice(already)
      mostInStep = Math.max(
        mostInStep,
        written.reduce((sum, { value }) => sum + value.length, 0),
      )
    }
    stringify.mockRestore()
    expect(mostInStep).toBeLessThan(100_000)
  }
})
