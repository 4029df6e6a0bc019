/** Reads UTF-8 strictly: bytes that are none would silently become other characters. */
import { isUtf8 } from "node:buffer"

/** The text, without a byte order mark. Throws what `refuse` makes of the position of the first wrong byte. */
export function readUtf8(bytes: Buffer, refuse: (position: number) => Error): string {
  if (!isUtf8(bytes)) throw refuse(firstWrongByte(bytes))
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString("utf8", hasMark ? 3 : 0)
}

/** The sentence about a file that is not UTF-8. */
export function notUtf8(what: string, position: number): string {
  return `${what} is not UTF-8: byte ${position} (counted from 0) begins no character`
}

/** A character has four bytes at most, so the first wrong byte is found by characters. */
function firstWrongByte(bytes: Buffer): number {
  let at = 0
  while (at < bytes.length) {
    const length = lengthOf(bytes[at] ?? 0)
    if (!isUtf8(bytes.subarray(at, at + length))) return at
    at += length
  }
  return at
}

/** The length of the character that a byte begins; 1 for those that begin none. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}
