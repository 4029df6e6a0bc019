/** Cutting of texts. */
import { expect, test } from "vitest"
import { cut, mentionLength } from "./cut.ts"

test("a text that fits stays as it is", () => {
  expect(cut("a".repeat(mentionLength))).toBe("a".repeat(mentionLength))
  expect(cut("")).toBe("")
})

test("a longer text ends with … and is as long as allowed", () => {
  expect(cut("a".repeat(mentionLength + 1))).toBe(`${"a".repeat(mentionLength - 1)}…`)
  expect(cut("abcdef", 4)).toBe("abc…")
})

test("no surrogate pair is halved", () => {
  expect(cut("ab😀cdef", 4)).toBe("ab…")
  expect(cut("a😀bcdef", 4)).toBe("a😀…")
})
