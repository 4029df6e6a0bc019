/** Calls chats and previews that wait at a webhook block. */

import { z } from "zod"
import { callChat, callPreview } from "../../chat/webhooks/callWebhook.ts"
import { notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { requireBot } from "../../people/access.ts"
import { tokenOperation } from "../trpc.ts"
import { calledBlockShape, maxCallBytes, webhookTakenSchema } from "./chatSchemas.ts"

export const webhooks = {
  executeWebhook: tokenOperation(
    "POST /bots/{botId}/blocks/{blockId}/results/{resultId}/executeWebhook",
    {
      operationId: "executeWebhook",
      scope: "conversations:write",
      admits: "botWriters",
      tag: "Results",
      isAudited: false,
      summary: "Call a waiting chat",
      description:
        'Delivers the body to a chat that waits at a `webhook` block. Its client receives a server-sent event of `GET /api/v1/sessions/{sessionId}/events`, or a message of the WebSocket `/parties/main/{sessionId}/webhooks`: the text `{"data": …}`, which the client sends back as its message. Whatever the client sends, the block uses the call as it was made here; without a call the chat keeps waiting, so a client may also poll. The WebSocket `/parties/main/{resultId}/webhooks` announces a call without its contents: `{"data":{}}`. All of them do so where the text would be longer than a message may be. A call is stored for a day. Headers are not looked at: a call with the same `Idempotency-Key` is stored again. 404 unless the last chat of the result waits at exactly this block of this bot.',
      maxBodyBytes: maxCallBytes,
      takesWholeBody: true,
      example: { request: { status: "paid" }, response: { message: "OK" } },
      input: {
        ...calledBlockShape,
        resultId: z.string().max(255).describe("Id of the result of the chat that waits"),
      },
      output: webhookTakenSchema,
    },
  ).mutation(async ({ ctx, input }) => {
    const { botId, resultId } = input
    await requireBot(ctx, botId, "write")
    if (!isUuid(resultId)) throw notFound("Waiting chat")
    await callChat(ctx.chat, input)
    return { message: "OK" }
  }),

  executeTestWebhook: tokenOperation("POST /bots/{botId}/blocks/{blockId}/web/executeTestWebhook", {
    operationId: "executeTestWebhook",
    admits: "botReaders",
    tag: "Bots",
    isAudited: false,
    summary: "Call a waiting preview",
    description:
      "As `executeWebhook`, for the latest preview that the caller started with a token and that waits at this block. Its client receives the call at `GET /api/v1/sessions/{sessionId}/events` or over the WebSocket `/parties/main/{sessionId}/webhooks`.",
    maxBodyBytes: maxCallBytes,
    takesWholeBody: true,
    example: { request: { status: "paid" }, response: { message: "OK" } },
    input: calledBlockShape,
    output: webhookTakenSchema,
  }).mutation(async ({ ctx, input }) => {
    const { botId } = input
    await requireBot(ctx, botId, "read")
    await callPreview(ctx.chat, { ...input, userId: ctx.user.id })
    return { message: "OK" }
  }),
}
