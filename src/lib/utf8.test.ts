/** UTF-8 is read strictly. */
import { expect, test } from "vitest"
import { readUtf8 } from "./utf8.ts"

const refusedAt = (...parts: (string | number[])[]) => {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  try {
    return readUtf8(bytes, (position) => new Error(String(position)))
  } catch (error) {
    return Number((error as Error).message)
  }
}

test("valid text is read without its byte order mark", () => {
  expect(refusedAt("\uFEFFäö😀\uFFFD")).toBe("äö😀\uFFFD")
  expect(refusedAt("")).toBe("")
})

test.each([
  ["a byte that begins nothing", [0xff], 0],
  ["a stray continuation", [0x80], 0],
  ["a character that is cut off", [0xc3], 0],
  ["an overlong slash", [0xc0, 0xaf], 0],
  ["half a pair", [0xed, 0xa0, 0x80], 0],
  ["a number beyond Unicode", [0xf4, 0x90, 0x80, 0x80], 0],
])("the position of %s is named", (_name, wrong, offset) => {
  for (const before of ["", "abc", "ä😀"]) {
    for (const after of ["", "abc", "ä"]) {
      expect(refusedAt(before, wrong, after)).toBe(Buffer.byteLength(before) + offset)
    }
  }
})
