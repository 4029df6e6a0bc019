/** Waits until another system calls in. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { responseMappingSchema } from "../../responseMapping.ts"

export const webhookListenerBlockSchema = blockSchemaOf(
  "webhook",
  "Wait for an inbound call (not the HTTP request)",
  {
    options: optional.object("What to keep of the call", {
      responseVariableMapping: responseMappingSchema.optional(),
    }),
  },
).meta({
  id: "WebhookListenerBlock",
  description: "Waits until another system calls this block of this chat",
})

export type WebhookListenerBlock = z.infer<typeof webhookListenerBlockSchema>
