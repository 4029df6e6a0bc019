/** Waits until another system calls; the client's report about the call is not trusted. */
import type { z } from "zod"
import { readJson } from "../../../../lib/foreignJson.ts"
import { isFailure } from "../../../calls.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import type { Step } from "../../block.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"
import { keepMapped, mappingStep, responseMappingSchema } from "../../responseMapping.ts"

const webhookListenerBlockSchema = blockSchemaOf("webhook", {
  options: optional.object("Mapping of the call's body", {
    responseVariableMapping: responseMappingSchema.optional(),
  }),
}).meta({ id: "WebhookListenerBlock" })

type WebhookListenerBlock = z.infer<typeof webhookListenerBlockSchema>

export const webhookListenerBlock = action<WebhookListenerBlock, "inboundCall" | "script">(
  webhookListenerBlockSchema,
  {
    catalogue: {
      label: "Incoming webhook",
      description: "Waits until another system calls, and stores its data",
      category: "logic",
      icon: "webhook",
    },
    waits: () => true,
    isCallable: true,
    readsBody: ({ options }) =>
      (options?.responseVariableMapping ?? []).flatMap(({ bodyPath }) => bodyPath ?? []),
    run: listen,
    resume: {
      inboundCall: (block, outcome, context) => {
        if (isFailure(outcome) || outcome.body === undefined) return { ...listen(), next: "waitOn" }
        const response = { statusCode: 200, data: readJson(outcome.body) }
        return mappingStep(block.options?.responseVariableMapping, response, context)
      },
      script: keepMapped,
    },
  },
)

function listen(): Step {
  return { act: [{ type: "listenForWebhook" }], next: "waitForClient" }
}
