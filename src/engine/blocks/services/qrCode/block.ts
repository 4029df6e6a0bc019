/** Draws a QR code and keeps its address. */
import { assignTo, isFailure } from "../../../calls.ts"
import { failureLog } from "../../api.ts"
import { refusal, serviceBlock } from "../service.ts"
import { qrCodeBlockSchema } from "./schema.ts"

export const qrCodeBlock = serviceBlock(
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
          return { set: assignTo(options.saveUrlInVariableId, outcome.url) }
        },
      },
    },
  },
  { needsAccount: false },
)
