/** Draws a QR code and keeps its address. */
import { isFailure, type Outcome } from "../../../calls.ts"
import { failureLog } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { act, refusal, type Visit } from "../service.ts"
import { type QrCodeBlock, type QrCodeOptions, qrCodeBlockSchema } from "./schema.ts"

export const qrCodeBlock: Action<QrCodeBlock, "qrCode"> = {
  kind: "action",
  schema: qrCodeBlockSchema,
  run: (block, context) => act(block, context, { "Generate a QR Code": draw }),
  resume: {
    qrCode: (block, outcome, context) =>
      act<QrCodeOptions, "qrCode">(block, context, {
        "Generate a QR Code": (visit) => drawn(visit, outcome),
      }),
  },
}

function draw({ options }: Visit<QrCodeOptions>): Step<"qrCode"> {
  if (!options.data) return refusal("No data for the QR code is given")
  if (!options.saveUrlInVariableId) return refusal("No variable for the QR code is given")
  return { next: { call: { kind: "qrCode", text: options.data } } }
}

function drawn({ options }: Visit<QrCodeOptions>, outcome: Outcome<"qrCode">): Step {
  if (isFailure(outcome)) return { log: [failureLog(outcome, "While drawing a QR code")] }
  const { saveUrlInVariableId: variableId } = options
  return variableId ? { set: [{ variableId, value: outcome.url }] } : {}
}
