/** Waits until another system calls in. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { responseMappingSchema } from "../../responseMapping.ts"

export const webhookListenerBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("webhook").describe("Wait for an inbound call (not the HTTP request)"),
    options: z
      .object({ responseVariableMapping: responseMappingSchema.optional() })
      .optional()
      .describe("What to keep of the call"),
  })
  .meta({
    id: "WebhookListenerBlock",
    description: "Waits until another system calls this block of this chat",
  })

export type WebhookListenerBlock = z.infer<typeof webhookListenerBlockSchema>
