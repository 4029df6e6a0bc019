/** Draws a QR code and keeps its address. */
import { isFailure } from "../../../calls.ts"
import { failureLog } from "../../api.ts"
import { refusal, serviceBlock } from "../service.ts"
import { type QrCodeBlock, qrCodeBlockSchema } from "./schema.ts"

export const qrCodeBlock = serviceBlock<QrCodeBlock>(
  qrCodeBlockSchema,
  {
    "Generate a QR Code": {
      run: ({ options }) => {
        if (!options.data) return refusal("No data for the QR code is given")
        if (!options.saveUrlInVariableId) return refusal("No variable for the QR code is given")
        return { next: { call: { kind: "qrCode", text: options.data } } }
      },
      resume: {
        qrCode: ({ options }, outcome) => {
          if (isFailure(outcome)) return { log: [failureLog(outcome, "While drawing a QR code")] }
          const { saveUrlInVariableId: variableId } = options
          return variableId ? { set: [{ variableId, value: outcome.url }] } : {}
        },
      },
    },
  },
  { needsAccount: false },
)
