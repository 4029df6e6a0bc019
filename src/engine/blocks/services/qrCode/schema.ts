/** Stored form of the QR code block. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption } from "../serviceSchema.ts"

const optionsSchema = namedObject("QrCodeOptions", "The QR code to draw", {
  action: actionOption(["Generate a QR Code"]),
  data: optional.template("What the code says"),
  saveUrlInVariableId: optional.variableId("Variable for the address of the PNG"),
})

export type QrCodeOptions = z.infer<typeof optionsSchema>

export const qrCodeBlockSchema = blockSchemaOf("qr-code", "QR code", {
  options: optionsSchema.optional(),
}).meta({ id: "QrCodeBlock", description: "Draws a QR code" })

export type QrCodeBlock = z.infer<typeof qrCodeBlockSchema>
