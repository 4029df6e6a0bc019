/** Waits until another system calls in; the client hears of it and reports the call's body. */

import { readJson } from "../../../variables/readJson.ts"
import type { Action } from "../../block.ts"
import { pick } from "../../json.ts"
import { type MappedResponse, mappedValues, mappingCall } from "../../responseMapping.ts"
import { type WebhookListenerBlock, webhookListenerBlockSchema } from "./schema.ts"

export const webhookListenerBlock: Action<WebhookListenerBlock, "script"> = {
  kind: "action",
  schema: webhookListenerBlockSchema,
  waits: () => true,
  isCallable: true,
  run: () => ({ act: [{ type: "listenForWebhook" }], next: "waitForClient" }),
  receive: (block, text, scene) => {
    const mapping = block.options?.responseVariableMapping
    const call = mappingCall(mapping, readReport(text), scene)
    return call ? { next: { call } } : {}
  },
  resume: {
    script: (block, outcome, scene) => {
      const set = mappedValues(block.options?.responseVariableMapping, outcome, scene)
      return set.length > 0 ? { set } : {}
    },
  },
}

function readReport(text: string): MappedResponse {
  const report = readJson(text)
  const isEnvelope = typeof report === "object" && report !== null && !Array.isArray(report)
  if (!isEnvelope) return { statusCode: 200, data: report }
  const statusCode = pick(report, "statusCode")
  return {
    statusCode: typeof statusCode === "number" ? statusCode : 200,
    data: pick(report, "data"),
  }
}
