/** Performs calls of the kind `qrCode`: draws a text as a PNG (W3C PNG, second edition) and stores it. */
import { crc32, deflateSync } from "node:zlib"
import { encodeQR } from "qr"
import { failed } from "./failures.ts"
import type { FileStore } from "./files/fileStore.ts"
import type { Performer } from "./perform.ts"

/** Bytes that fit at this level of error correction (ISO/IEC 18004, version 40-M). */
const longestText = 2_331

const pixelsPerSquare = 8

/** Opens the performer. It refuses anonymous previews, because the files would stay. */
export function openQrCode(files: FileStore): Performer<"qrCode"> {
  return {
    isOutside: () => true,
    async perform({ text }, context) {
      if (context.isRestricted) {
        return failed("Files cannot be kept in an anonymous preview")
      }
      if (text === "" || Buffer.byteLength(text) > longestText) {
        return failed(`A QR code holds 1 to ${longestText} bytes of text`)
      }
      const squares = encodeQR(text, "raw", { ecc: "medium", border: 4 })
      const png = drawPng(squares, pixelsPerSquare)
      const { botId, resultId } = context
      return { url: await files.save(png, { botId, resultId, extension: "png" }) }
    },
  }
}

/** Draws rows of squares (true is black), each `scale` by `scale` pixels. */
function drawPng(rows: readonly (readonly boolean[])[], scale: number): Buffer {
  const width = (rows[0]?.length ?? 0) * scale
  const lines = rows.flatMap((row) => {
    const line = lineOf(row, scale)
    return Array.from({ length: scale }, () => line)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(lines.length, 4)
  // One bit per pixel, shades of grey, no interlacing.
  header.writeUInt8(1, 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.concat(lines))
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

/** A line of pixels, preceded by the byte for "no filter"; a set bit is white. */
function lineOf(row: readonly boolean[], scale: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil((row.length * scale) / 8))
  row.forEach((isBlack, index) => {
    if (isBlack) return
    for (let pixel = index * scale; pixel < (index + 1) * scale; pixel++) {
      const at = 1 + (pixel >> 3)
      line.writeUInt8(line.readUInt8(at) | (0x80 >> (pixel & 7)), at)
    }
  })
  return line
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
