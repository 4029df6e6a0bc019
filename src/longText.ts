/** Turns long texts into bytes and back, in slices. */
import { stretchesOf, stretchLength } from "./engine/stretches.ts"
import { inSlices } from "./slices.ts"

/** Texts of more characters, or bytes, are worth the slices: about a millisecond of JSON.parse. */
export const longLength = 256 * 1024

/** As `bytes.toString("utf8", from)`. */
export function decodeLong(bytes: Buffer, from = 0): Promise<string> {
  return inSlices(decode(bytes, from))
}

/** As `Buffer.from(text)`. */
export function encodeLong(text: string): Promise<Buffer> {
  return inSlices(encode(text))
}

function* decode(bytes: Buffer, start: number): Generator<undefined, string, void> {
  const parts: string[] = []
  for (let from = start; from < bytes.length; ) {
    const to = boundaryAt(bytes, from + stretchLength)
    parts.push(bytes.toString("utf8", from, to))
    from = to
    yield
  }
  return parts.join("")
}

/** The end of a piece that parts no character: one has up to three bytes more (RFC 3629, 3). */
function boundaryAt(bytes: Buffer, near: number): number {
  if (near >= bytes.length) return bytes.length
  for (let at = near; at > near - 4; at--) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at
  return near
}

function* encode(text: string): Generator<undefined, Buffer, void> {
  const parts: Buffer[] = []
  for (const stretch of stretchesOf(text)) {
    parts.push(Buffer.from(stretch))
    yield
  }
  return Buffer.concat(parts)
}
