/** The automaton matches as JavaScript does, in linear time. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { heldBytes } from "../../../test/support/heap.ts"
import { createFuel, liveLimits, OutOfFuel, unmetered } from "../budget/fuel.ts"
import { findsMatch } from "./findsMatch.ts"
import { readRegex as read } from "./readRegex.ts"

const readRegex = (written: string) => read(written, unmetered())

function answer(written: string, text: string): boolean | undefined {
  const regex = readRegex(written)
  return regex && findsMatch(regex, text, unmetered())
}

describe("9.8 readRegex", () => {
  it.each([
    ["(", "malformed"],
    ["/a/ii", "a flag given twice"],
    ["(a)\\1", "a back reference"],
    ["(?<x>a)\\k<x>", "a named back reference"],
    ["((a{50}){50}){50}", "too many states"],
    ["a".repeat(5_001), "too long"],
  ])("refuses %s (%s)", (written) => {
    expect(readRegex(written)).toBeUndefined()
  })

  it("keeps little memory for many classes and characters", () => {
    const code = (index: number) => String.fromCharCode(0x4e00 + index)
    const text = Array.from({ length: 256 }, (_, index) => code(index)).join("")
    const before = heldBytes()
    for (let nth = 0; nth < 5; nth++) {
      const classes = Array.from({ length: 900 }, (_, index) => `[${code(900 * nth + index)}b]`)
      expect(answer(classes.join("|"), text.slice(nth))).toBeDefined()
    }
    expect(heldBytes() - before).toBeLessThan(24_000_000)
  })

  it("charges for the cases of each character, which take V8 five times as long to compile", () => {
    const fuel = createFuel(liveLimits.fuel)
    const characters = Array.from({ length: 4_900 }, (_, n) => String.fromCharCode(0x4e00 + n))
    const pattern = (letter: string) => `/${letter}${characters.join("")}/i`
    expect(read(pattern("a"), fuel)).toBeDefined()
    expect(() => read(pattern("b"), fuel)).toThrow(OutOfFuel)
  })

  it("compiles a pattern once", () => {
    expect(readRegex("/on[ce]{2}/i")).toBe(readRegex("/on[ce]{2}/i"))
  })

  it("reads only known flags after a closing slash", () => {
    expect(answer("/ab/i", "xABx")).toBe(true)
    expect(answer("ab", "xABx")).toBe(false)
    expect(answer("/ab/s", "ab")).toBe(false)
    expect(answer("/ab/s", "/ab/s")).toBe(true)
  })
})

const fragments = [
  ..."ab1_ -é\n",
  ".",
  "\\d",
  "\\w",
  "\\W",
  "\\s",
  "[a-c]",
  "[^a]",
  "[\\]b]",
  "[]",
  "[^]",
  "\\u0061",
  "\\x62",
  "\\.",
  "]",
  "^",
  "$",
  "\\b",
  "\\B",
  "😀",
]

const source = fc.letrec<{ either: string; term: string }>((tie) => ({
  either: fc
    .array(fc.array(tie("term"), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((options) => options.map((terms) => terms.join("")).join("|")),
  term: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...fragments),
    fc.constantFrom("a*", "b+?", "a?", ".{2}", "[ab]{1,}", "\\w{0,2}?", "a{0}"),
    fc
      .tuple(
        fc.constantFrom("(", "(?:", "(?<n>", "(?=", "(?!", "(?<=", "(?<!"),
        tie("either"),
        fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,3}", "{2,}"),
      )
      .map(([opening, body, quantifier]) =>
        opening.startsWith("(?<") && opening !== "(?<n>"
          ? `${opening}${body})`
          : `${opening}${body})${quantifier}`,
      ),
  ),
})).either

const flags = fc.subarray([..."gimuy"]).map((letters) => letters.join(""))
const text = fc.array(fc.constantFrom(..."aAbB1_ -éÉ\n", "😀", "\ud83d"), { maxLength: 8 })

function native(pattern: string, letters: string): RegExp | undefined {
  try {
    return new RegExp(pattern, letters)
  } catch {
    return undefined
  }
}

/** V8 also tries to match between the halves of a surrogate pair, which the standard skips. */
function splitsPair(regex: RegExp | undefined, sentence: string): boolean {
  if (!regex?.unicode) return false
  const at = sentence.match(new RegExp(regex, regex.flags.replace(/[gy]/g, "")))?.index ?? 0
  return at > 0 && (sentence.codePointAt(at - 1) ?? 0) > 0xffff
}

describe("9.8 findsMatch", () => {
  it("matches as JavaScript does", () => {
    fc.assert(
      fc.property(source, flags, text, (pattern, letters, characters) => {
        const regex = native(pattern, letters)
        fc.pre(regex !== undefined && pattern !== "")
        const sentence = characters.join("")
        fc.pre(!splitsPair(regex, sentence))
        expect(answer(`/${pattern}/${letters}`, sentence)).toBe(regex?.test(sentence))
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ["^(?=.*[A-Z])(?=.*\\d).{8,}$", "passWord1", true],
    ["^(?=.*[A-Z])(?=.*\\d).{8,}$", "password1", false],
    ["(?<!not )fine", "not fine, fine", true],
    ["(?<!not )fine", "not fine", false],
    ["/^\\p{Lu}/u", "Élan", true],
    ["/\\u{1F600}{2}/u", "😀😀", true],
    ["/\\ud83d\\ude00/u", "😀", true],
    ["/^.$/", "😀", false],
    ["/^.$/u", "😀", true],
    ["/^b$/m", "a\nb", true],
    ["/b/y", "ab", false],
    ["a{,2}", "a{,2}", true],
    ["^[\\w.+-]+@[\\w-]+\\.[\\w.]+$", "ann@example.org", true],
  ])("reports whether %s matches %s", (written, sentence, expected) => {
    expect(answer(written, sentence)).toBe(expected)
  })

  it.each([
    "(a+)+$",
    "(a|aa)+$",
    "(.*)*x",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a*)*(a*)*(a*)*c",
    "(?=(a+)+b)a",
    "(?<=x(a|a)*)b",
  ])("does not hang on %s", (written) => {
    const started = performance.now()
    expect(answer(written, `${"a".repeat(50_000)}!`)).toBe(false)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it("stops when a pattern needs more work than the budget has left", () => {
    const fuel = createFuel(1_000_000)
    const regex = read(`${"a?".repeat(2_000)}b`, fuel)
    expect(regex && (() => findsMatch(regex, "a".repeat(100_000), fuel))).toThrow(OutOfFuel)
  })

  it("is charged by the states that are visited, compiled before or not", () => {
    const spent = (text: string) => {
      const fuel = createFuel(1_000_000)
      const regex = read("(a|b)+c", fuel)
      if (regex) findsMatch(regex, text, fuel)
      return 1_000_000 - fuel.left
    }
    expect(spent("ab".repeat(1_000))).toBe(spent("ab".repeat(1_000)))
    expect(spent("ab".repeat(10_000))).toBeGreaterThan(9 * spent("ab".repeat(1_000)))
  })
})
