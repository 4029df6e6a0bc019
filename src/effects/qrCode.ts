/** Performs calls of the kind `qrCode`: draws a text as a PNG (W3C PNG, second edition) and stores it. */
import { crc32, deflateSync } from "node:zlib"
import { encodeQR } from "qr"
import { failed } from "./failures.ts"
import type { FileStore } from "./files/fileStore.ts"
import type { Performer } from "./perform.ts"

/** Bytes that fit at this level of error correction (ISO/IEC 18004, version 40-M). */
const maxTextLength = 2_331

/** Each way. With one bit per pixel a square is a byte wide. */
const pixelsPerSquare = 8

/** Creates the performer. It refuses anonymous previews, because the files would stay. */
export function createQrCode(files: FileStore): Performer<"qrCode"> {
  return async ({ text }, context) => {
    if (context.isRestricted) return failed("Files cannot be kept in an anonymous preview")
    if (text === "" || Buffer.byteLength(text) > maxTextLength) {
      return failed(`A QR code holds 1 to ${maxTextLength} bytes of text`)
    }
    const png = drawPng(encodeQR(text, "raw", { ecc: "medium", border: 4 }))
    const [owner] = context.fileOwners
    return { url: await files.save(png, { ...owner, extension: "png" }) }
  }
}

/** Draws rows of squares; true is black. */
function drawPng(rows: readonly (readonly boolean[])[]): Buffer {
  const lines = rows.flatMap((row) => {
    // After the byte for "no filter" a byte for each square: eight pixels, of which a set bit is white.
    const line = Buffer.from([0, ...row.map((isBlack) => (isBlack ? 0 : 0xff))])
    return Array.from({ length: pixelsPerSquare }, () => line)
  })
  const width = (rows[0]?.length ?? 0) * pixelsPerSquare
  // One bit per pixel, shades of grey, no interlacing.
  const kind = Buffer.from([1, 0, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk("IHDR", Buffer.concat([uint32(width), uint32(lines.length), kind])),
    chunk("IDAT", deflateSync(Buffer.concat(lines))),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
