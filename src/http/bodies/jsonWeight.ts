/** Estimates the memory that the values of a JSON text will take, before it is parsed. */
import { tooLarge } from "../../lib/errors.ts"

/** More than the largest bots have: 5,000 blocks in 4 MB have 90,000. */
const maxValues = 120_000
/** An empty object is two bytes of text and some fifty of memory, and more once it is validated. */
const valueBytes = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b

/**
 * The bytes that a JSON text takes beside its own once it is parsed; 413 when it has too many values. It
 * counts commas and opening brackets outside of strings.
 */
export function jsonWeight(text: string): number {
  let values = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at += 1
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === comma || code === bracket || code === brace) values += 1
  }
  if (values > maxValues) throw tooLarge(`The body may hold at most ${maxValues} values`)
  return values * valueBytes
}
