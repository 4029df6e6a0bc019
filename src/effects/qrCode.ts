/** Answers calls of the kind `qrCode`: draws a text as a picture and keeps it. */
import { encodeQR } from "qr"
import type { FileStore } from "./files/fileStore.ts"
import type { Performer } from "./perform.ts"
import { drawPng } from "./png.ts"

/** What fits with the error correction in use (ISO/IEC 18004, version 40-M, bytes). */
const longestText = 2_331

const pixelsPerSquare = 8

/** Draws QR codes; callers we do not know get none, because the picture would stay. */
export function openQrCode(files: FileStore): Performer<"qrCode"> {
  return {
    isOutside: () => true,
    async perform({ text }, context) {
      if (context.isRestricted) {
        return { failed: true, description: "Files cannot be kept in an anonymous preview" }
      }
      if (text === "" || Buffer.byteLength(text) > longestText) {
        return { failed: true, description: `A QR code holds 1 to ${longestText} bytes of text` }
      }
      const squares = encodeQR(text, "raw", { ecc: "medium", border: 4 })
      const png = drawPng(squares, pixelsPerSquare)
      const { botId, resultId } = context
      return { url: await files.save(png, { botId, resultId, extension: "png" }) }
    },
  }
}
