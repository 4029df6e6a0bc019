/** Turns long texts into bytes and back, in slices. */
import { isShort, jsonPartsOf } from "./engine/json.ts"
import type { Steps } from "./engine/steps.ts"
import { inSlices, ownTurn } from "./slices.ts"

/** Texts of more characters, or bytes, are worth the slices: about a millisecond of JSON.parse. */
export const longLength = 256 * 1024

/** A text in UTF-8 that came in chunks, as `Buffer.concat(chunks).toString()`. */
export async function decodeLong(chunks: readonly Buffer[]): Promise<string> {
  const parts = await inSlices(decode(chunks))
  await ownTurn()
  return parts.join("")
}

/** The same in parts and in steps. */
export function* decode(chunks: readonly Buffer[]): Steps<string[]> {
  const parts: string[] = []
  let rest: Buffer | undefined
  for (const chunk of chunks) {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    const end = endOfCharacters(bytes)
    parts.push(bytes.toString("utf8", 0, end))
    rest = end < bytes.length ? bytes.subarray(end) : undefined
    yield
  }
  if (rest) parts.push(rest.toString())
  return parts
}

/** The begin of the last character, which may go on: it may have three bytes more (RFC 3629, 3). */
function endOfCharacters(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - 4; at--) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at
  }
  return bytes.length
}

/** Characters of JSON that are written at once: it takes less than starting slices for them. */
const shortLength = 32_768

/** As `JSON.stringify(value)` for a value out of JSON: a text, or its bytes when it is long. */
export async function writeJson(value: unknown): Promise<string | Buffer> {
  return isShort(value, shortLength) ? JSON.stringify(value) : await writeLongJson(value)
}

/** Whether the answer of an operation may be long; it is told how many characters others had. */
export type Lengths = { mayBeLong(answer: unknown): boolean; note(length: number): void }

/** An operation whose answers were all short is believed to go on so, unless it answers with a bot. */
export function openLengths(): Lengths {
  let longest = 0
  return {
    mayBeLong: (answer) => {
      const isObject = typeof answer === "object" && answer !== null
      const holdsBot = isObject && ("bot" in answer || "publishedBot" in answer)
      return (holdsBot || longest > shortLength) && !isShort(answer, shortLength)
    },
    note: (length) => {
      longest = Math.max(longest, length)
    },
  }
}

async function writeLongJson(value: unknown): Promise<string | Buffer> {
  const parts = await inSlices(jsonPartsOf(value))
  return lengthOf(parts) > longLength ? await encodeParts(parts) : parts.join("")
}

/** Texts one after the other as bytes. Nothing else was done in this round when it returns. */
export async function encodeParts(texts: readonly string[]): Promise<Buffer> {
  const parts = await inSlices(encode(texts))
  await ownTurn()
  const bytes = Buffer.concat(parts)
  if (bytes.length > longLength) await ownTurn()
  return bytes
}

function* encode(texts: readonly string[]): Steps<Buffer[]> {
  const parts: Buffer[] = []
  for (const text of texts) {
    parts.push(Buffer.from(text))
    yield
  }
  return parts
}

/** Characters of all texts. */
export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}
