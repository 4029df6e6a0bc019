/** Stored form of the QR code block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { actionOption, text, variableOption } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    action: actionOption(["Generate a QR Code"]),
    data: text("What the code says"),
    saveUrlInVariableId: variableOption("Variable for the address of the PNG"),
  })
  .meta({ id: "QrCodeOptions", description: "The QR code to draw" })

export type QrCodeOptions = z.infer<typeof optionsSchema>

export const qrCodeBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("qr-code").describe("QR code"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "QrCodeBlock", description: "Draws a QR code" })

export type QrCodeBlock = z.infer<typeof qrCodeBlockSchema>
