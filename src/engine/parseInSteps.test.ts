/** Long JSON texts: read in steps they come to what JSON.parse makes of them. */
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { expect, test, vi } from "vitest"
import { parseInSteps } from "./parseInSteps.ts"
import { finish } from "./steps.ts"

const small = { pieceLength: 4 }

/** The value, or that there is none. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return "refused"
  }
}

function compare(text: string, pieceLength: number): void {
  const read = outcomeOf(() => finish(parseInSteps(text, { pieceLength })))
  const parsed = outcomeOf(() => JSON.parse(text))
  expect({ text, isSame: isDeepStrictEqual(read, parsed) }).toEqual({ text, isSame: true })
  // Tells the order of members, too.
  expect(JSON.stringify(read)).toBe(JSON.stringify(parsed))
}

/** Into how many steps a text is divided, and how long the longest piece is that JSON.parse gets. */
function divisionOf(text: string): { steps: number; longestPiece: number } {
  const parse = vi.spyOn(JSON, "parse")
  const reading = parseInSteps(text, { maxDepth: 64 })
  let steps = 1
  try {
    while (!reading.next().done) steps++
  } catch {
    // What is refused counts as far as it was read.
  }
  const longestPiece = Math.max(0, ...parse.mock.calls.map(([piece]) => piece.length))
  parse.mockRestore()
  return { steps, longestPiece }
}

const pieceLengths = fc.integer({ min: 1, max: 40 })
const unit = fc.constantFrom("grapheme", "binary") as fc.Arbitrary<"grapheme" | "binary">
const anyJson = unit.chain((stringUnit) => fc.jsonValue({ maxDepth: 6, stringUnit }))
const anyText = fc
  .tuple(anyJson, fc.constantFrom(0, 1, 3, "\t", "\n \r"))
  .map(([value, indent]) => JSON.stringify(value, null, indent))

test("every JSON text comes to its value, however it is cut", () => {
  fc.assert(fc.property(anyText, pieceLengths, compare), { numRuns: 1000 })
})

test("every text that lost, gained or changed a character is read or refused as JSON.parse does", () => {
  const characters = fc.constantFrom(...'[]{},:"\\ \n0-1.eu\0\ud83dnt', "__proto__", "]", "}", ",,")
  const damage = fc.record({ at: fc.nat(), gone: fc.nat(2), put: fc.option(characters) })
  const damaged = fc.tuple(anyText, damage).map(([text, { at, gone, put }]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + (put ?? "") + text.slice(from + gone)
  })
  fc.assert(fc.property(damaged, pieceLengths, compare), { numRuns: 3000 })
})

test("every sequence of the parts of JSON is read or refused as JSON.parse does", () => {
  const part = fc.constantFrom(
    ...["[", "]", "{", "}", ",", ":", '"', "\\", "\\u", "\\n", '\\"', "\\\\", "\\ud83d", "\\ude00"],
    ...["1", "-", "01", "1e5", "null", "true", '"a"', '"a":', '"b":[', '"__proto__":', " ", "\t\n"],
    ...["\v", "\u00a0", "\ufeff", "\ud83d", "x".repeat(30), `"${"y".repeat(50)}"`],
  )
  const texts = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(""))
  fc.assert(fc.property(texts, pieceLengths, compare), { numRuns: 5000 })
})

test("members of the same name, __proto__ and numbers as names end as with JSON.parse", () => {
  const long = JSON.stringify("x".repeat(100))
  for (const text of [
    `{"a":${long},"b":1,"a":2,"c":[${long}],"a":[3]}`,
    `{"__proto__":{"x":[${long}]},"a":${long},"__proto__":${long}}`,
    `{"a":${long},"9":1,"1":[${long}],"b":0,"9":${long}}`,
    `{"constructor":[${long}],"":${long},"":{"":${long}}}`,
    `[[],{},[ ],{ },${long},[[[${long}]]],-0,1e400,12345678901234567890]`,
  ]) {
    compare(text, 4)
  }
  const read = finish(parseInSteps(`{"a":[1],"__proto__":{"x":${long}}}`, small)) as object
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  expect(Object.keys(read)).toEqual(["a", "__proto__"])
})

test("a long text is cut neither in an escape nor in what it stands for", () => {
  for (const part of [
    "\\\\",
    '\\"',
    "\\n",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\ud83d\ude00",
    "a\\\\\\n",
  ]) {
    for (const before of ["", "x", "xy", "\\\\"]) {
      const text = `{"a":["${before}${part.repeat(60)}"]}`
      for (const pieceLength of [1, 2, 3, 5, 7]) compare(text, pieceLength)
    }
  }
})

test("what is nested deeper than allowed is refused, and nothing else is", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
  for (const limits of [{ maxDepth: 5 }, { maxDepth: 5, pieceLength: 2 }]) {
    expect(finish(parseInSteps(`{"a":${nested(4)},"b":[[[[1]]]]}`, limits))).toBeDefined()
    expect(() => finish(parseInSteps(`{"a":${nested(5)}}`, limits))).toThrow(RangeError)
  }
})

test("what is no JSON is refused with the place of the piece that is wrong", () => {
  const text = `[${"1,".repeat(30_000)}01]`
  expect(() => finish(parseInSteps(text))).toThrow(/^Not JSON, after position (4\d|5\d|6\d)\d{3}$/)
})

test("texts of 4 MB are read in many short pieces, whatever is in them", () => {
  const size = 4_000_000
  for (const text of [
    JSON.stringify(["x".repeat(size)]),
    JSON.stringify({ a: { b: "\\\n".repeat(size / 4) } }),
    JSON.stringify({ a: { b: "\\".repeat(size / 2) } }),
    JSON.stringify(Array(20_000).fill({ a: "x".repeat(180) })),
    JSON.stringify({ a: Array(20_000).fill(["Žluťoučký 日本語".repeat(10)]) }),
    JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`key ${n}`, n]))),
    `[${"1,".repeat(size / 2)}01]`,
  ]) {
    const { steps, longestPiece } = divisionOf(text)
    expect(steps).toBeGreaterThan(50)
    expect(longestPiece).toBeLessThan(100_000)
  }
})

test("what never ends, and what goes too deep, is refused before anything is parsed", () => {
  for (const text of [`{"a":"${"x".repeat(4_000_000)}`, "[".repeat(4_000_000)]) {
    expect(divisionOf(text).longestPiece).toBe(0)
    expect(() => finish(parseInSteps(text, { maxDepth: 64 }))).toThrow()
  }
})
