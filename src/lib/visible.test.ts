/** What reaches a terminal of an untrusted text. */
import { expect, test } from "vitest"
import { visible } from "./visible.ts"

const codes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

const hostile = [
  ...codes(0x00, 0x08),
  ...codes(0x0b, 0x1f),
  ...codes(0x7f, 0x9f),
  ...codes(0x202a, 0x202e),
  ...codes(0x2066, 0x2069),
  ...[0x200e, 0x200f, 0x061c, 0x2028, 0x2029],
]

test("each character that commands a terminal or turns text around becomes its escape", () => {
  for (const code of hostile) {
    const shown = `\\u${code.toString(16).padStart(4, "0")}`
    expect(visible(`a${String.fromCharCode(code)}b`)).toBe(`a${shown}b`)
  }
})

test("everything else stays: ends of lines, tabs, letters of all scripts, emoji", () => {
  const text = "a\n\tb שלום ‌نمی‌خواهم 👩‍👩‍👧 \\ é"
  expect(visible(text)).toBe(text)
  expect(visible("a\r\nb")).toBe("a\nb")
})

test("JSON stays equal", () => {
  const value = { text: `${String.fromCharCode(...hostile)}\r\n` }
  expect(JSON.parse(visible(JSON.stringify(value)))).toEqual(value)
})
