/** POST /api/v1/bots/{botId}/blocks/{blockId}/web/executeTestWebhook */
import { z } from "zod"
import { callPreview } from "../../chat/webhooks/callWebhook.ts"
import { requireBot } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { calledBlockShape, maxCallBytes, webhookTakenSchema } from "./schema.ts"

/** Calls the caller's latest preview that waits at a webhook block. */
export const executeTestWebhookProcedure = tokenOperation(
  "POST /api/v1/bots/{botId}/blocks/{blockId}/web/executeTestWebhook",
  {
    operationId: "executeTestWebhook",
    admits: "botReaders",
    tag: "Bots",
    isAudited: false,
    summary: "Call a waiting preview",
    description:
      "As `executeWebhook`, for the latest preview that the caller started with a token and that waits at this block. Its client hears of it at `GET /api/v1/sessions/{sessionId}/events` or over the WebSocket `/parties/main/{sessionId}/webhooks`.",
    maxBodyBytes: maxCallBytes,
    takesWholeBody: true,
  },
)
  .input(z.object(calledBlockShape))
  .output(webhookTakenSchema)
  .mutation(async ({ ctx, input }) => {
    const { botId } = input
    await requireBot(ctx, botId, "read")
    await callPreview(ctx.chat, { ...input, userId: ctx.user.id })
    return { message: "OK" }
  })
