/** Choices are found in free text by whole words, and hostile text costs nothing extra. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createFuel, liveLimits, OutOfFuel, unmetered } from "../../budget/fuel.ts"
import { judgeChoice, type Names, namedChoices } from "./judgeChoice.ts"

const choices: Names[] = [
  { id: "id1", label: "Red" },
  { id: "id2", label: "Dark Red" },
  { id: "id3", label: "Blue", value: "bl" },
  { id: "id4", label: "C++ (fast)" },
  { id: "id5", label: "Élan" },
]

function named(text: string, among = choices): string[] {
  return namedChoices(among, text, unmetered()).map(({ id }) => id)
}

describe("6.7 namedChoices", () => {
  it.each([
    ["1, 3", ["id1", "id3"]],
    ["bl", ["id3"]],
    ["Dark Red and Red", ["id1", "id2"]],
    ["dark red", ["id2"]],
    ["dark red, dark red", ["id2"]],
    ["id3/id1", ["id1", "id3"]],
    ["Dark \n  Red", ["id2"]],
    ["DarkRed", []],
    ["Reddish", []],
    ["Redé", []],
    ["Red\u0301", []],
    ["Red_", ["id1"]],
    ["(blue)", ["id3"]],
    ["I like c++  (FAST)!", ["id4"]],
    ["C++ (fast)er", []],
    ["élan", ["id5"]],
    ["12", []],
    ["6", []],
    ["nope", []],
    ["", []],
  ])("finds in %j %j", (text, expected) => {
    expect(named(text)).toEqual(expected)
  })

  it("prefers values to labels and labels to positions", () => {
    const numbers = [
      { id: "a", label: "2" },
      { id: "b", label: "3", value: "1" },
      { id: "c", label: "1" },
    ]
    expect(named("1", numbers)).toEqual(["b"])
    expect(named("2", numbers)).toEqual(["a"])
  })

  it.each([
    ["1 bed, 3 beds", ["0", "2"]],
    ["https://e.com/1.png", ["4"]],
    ["2, 1 bed", ["0", "3"]],
    ["a suite", ["3"]],
  ])("reads a list of names literally, as in %j", (text, expected) => {
    const rooms = [
      { id: "0", label: "1 bed" },
      { id: "1", label: "2 beds" },
      { id: "2", label: "3 beds" },
      { id: "3", label: "A suite", value: "2" },
      { id: "4", label: "https://e.com/1.png" },
    ]
    expect(named(text, rooms)).toEqual(expected)
  })

  it("takes the longest name where a part of a list fits several", () => {
    const places = [
      { id: "0", label: "Paris" },
      { id: "1", label: "France" },
      { id: "2", label: "Paris, France" },
      { id: "3", label: "1 room, sea, breakfast" },
    ]
    expect(named("Paris, France", places)).toEqual(["2"])
    expect(named("Paris, France, Paris", places)).toEqual(["0", "2"])
    expect(named("France, 1 room, sea, breakfast", places)).toEqual(["1", "3"])
  })

  it("does not join the words on both sides of a found phrase", () => {
    const parts = [
      { id: "ab", label: "big dog" },
      { id: "x", label: "red", value: "very red" },
    ]
    expect(named("big very red dog", parts)).toEqual(["x"])
  })

  it("falls back to a shorter phrase where a longer one is overlapped", () => {
    const overlapping = [
      { id: "long", label: "b c d e" },
      { id: "middle", label: "a b c" },
      { id: "short", label: "a" },
      { id: "end", label: "x c" },
      { id: "tail", label: "c" },
    ]
    expect(named("a b c d e", overlapping)).toEqual(["long", "short"])
    expect(named("a b c, b c d e x c", overlapping)).toEqual(["long", "middle", "end"])
    expect(named("2x c", overlapping)).toEqual(["tail"])
  })

  it("finds one of two choices of the same name", () => {
    const twins = [
      { id: "x", label: "Red" },
      { id: "y", label: "red" },
    ]
    expect(named("RED, RED", twins)).toEqual(["x"])
    expect(named("red, red", twins)).toEqual(["y"])
  })

  it("finds every label of a joined list, in any order", () => {
    const words = fc.uniqueArray(fc.constantFrom("a", "b", "ab", "a b", "b a", "a b a", "é", "x-y"))
    fc.assert(
      fc.property(words, (labels) => {
        const all = labels.map((label, index) => ({ id: `i${index}`, label }))
        expect(namedChoices(all, labels.toReversed().join("; "), unmetered())).toEqual(all)
      }),
    )
  })

  it("spends fuel for the long names compared at each part of a list", () => {
    const label = (n: number) => `${"a, ".repeat(19)}b${n}`
    const long = Array.from({ length: 900 }, (_, n) => ({ id: `id-${n}`, label: label(n) }))
    const question = {
      choices: [{ id: "a", label: "a" }, ...long],
      isMultipleChoice: true,
      stored: [],
    }
    const text = Array(17_000).fill("a").join(", ")
    const judged = () => judgeChoice(question, { type: "text", text }, createFuel(liveLimits.fuel))
    expect(judged).toThrow(OutOfFuel)
  })

  it.each([
    [
      "one word again and again",
      "a ".repeat(50_000),
      (n: number) => `${"a ".repeat(n % 99)}a ${n % 2 ? "b" : ""}`,
    ],
    [
      "a period",
      `${"a b ".repeat(25_000)}c`,
      (n: number) => `${"a b ".repeat(n % 50)}${n % 2 ? "b b" : "a a"}`,
    ],
    ["white space", " ".repeat(100_000), (n: number) => `a ${n}`],
    ["marks", "-".repeat(100_000), (n: number) => `${"-".repeat(n % 99)}+`],
    ["numbers", Array.from({ length: 25_000 }, (_, n) => n % 600).join(" "), (n: number) => `${n}`],
  ])("does not hang on %s", (_, text, labelOf) => {
    const many = Array.from({ length: 500 }, (_, n) => ({ id: `id-${n}`, label: labelOf(n) }))
    const started = performance.now()
    namedChoices(many, `${text} b`.slice(-100_000), unmetered())
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
