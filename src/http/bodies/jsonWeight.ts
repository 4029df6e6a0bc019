/** Counts the values in a JSON text while its bytes come: parsed, most take more room than their text. */
import { tooLarge } from "../../shared/errors.ts"

/** More than large bots have: one with 5,000 blocks in 4 MB has 90,000. */
const maxValues = 120_000
/** An empty object is two bytes of text and some fifty of memory, and more once it is validated. */
const valueBytes = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b

/** What the next bytes of a text add to its size in memory; refuses with 413 too many values. */
export type WeighJson = (bytes: Uint8Array) => number

/** Begins with a text. Commas and opening brackets count, unless they stand in a string. */
export function openJsonWeight(): WeighJson {
  let values = 0
  let isInString = false
  let isEscaped = false
  return (bytes) => {
    const before = values
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (isEscaped) isEscaped = false
      else if (byte === quote) isInString = !isInString
      else if (isInString) isEscaped = byte === backslash
      else if (byte === comma || byte === bracket || byte === brace) values += 1
    }
    if (values > maxValues) throw tooLarge(`The body may hold at most ${maxValues} values`)
    return (values - before) * valueBytes
  }
}
