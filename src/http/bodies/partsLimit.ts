/** Bounds the number of parts that a body comes in: each costs far more than a byte. */
import { tooLarge } from "../../errors.ts"

/** One read of 64 kB has up to 10,900 chunks of one byte, which take some 15 ms. */
const anyParts = 10_000
/** Beyond, they must be as large as this on average. Packets of slow networks have over 500 bytes. */
const leastAverageBytes = 64

/** Refuses with 413 a body of so many bytes in so many parts. */
export function requireParts(parts: number, bytes: number): void {
  if (isTooFine(parts, bytes)) throw tooLarge("The body comes in too many small parts")
}

/** Whether so many bytes come in too many parts. */
export function isTooFine(parts: number, bytes: number): boolean {
  return parts > anyParts && bytes < parts * leastAverageBytes
}
