/** Draws a QR code and stores the address of the picture. */
import { assignTo } from "../../../calls.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { actionOption, calling, refusal, serviceBlock } from "../serviceBlock.ts"

const qrCodeBlockSchema = blockSchemaOf("qr-code", {
  options: optional.named("QrCodeOptions", "The QR code to draw", {
    action: actionOption(["Generate a QR Code"]),
    data: optional.template("Content of the code"),
    saveUrlInVariableId: optional.variableId("Variable for the address of the PNG"),
  }),
}).meta({ id: "QrCodeBlock" })

export const qrCodeBlock = serviceBlock(qrCodeBlockSchema, {
  catalogue: {
    label: "QR code",
    description: "Draws a QR code and keeps the address of its picture",
    category: "data",
    icon: "qr-code",
  },
  needsAccount: false,
  actions: {
    "Generate a QR Code": {
      activity: "While drawing a QR code",
      run: ({ options }) => {
        if (!options.data) return refusal("No data for the QR code is given")
        if (!options.saveUrlInVariableId) return refusal("No variable for the QR code is given")
        return calling({ kind: "qrCode", text: options.data })
      },
      resume: {
        qrCode: ({ options }, { url }) => ({ set: assignTo(options.saveUrlInVariableId, url) }),
      },
    },
  },
})
