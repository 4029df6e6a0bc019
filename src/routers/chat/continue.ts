/** Continues a chat. */
import { z } from "zod"
import { continueChat } from "../../chat/continueChat.ts"
import { messageSchema } from "../../engine/schema/message.ts"
import { exampleThanks } from "../examples.ts"
import { publicOperation } from "../trpc.ts"
import { observed, turnRequestOf } from "./observeTurn.ts"
import { chatStepShape, sessionIdSchema, textFormatSchema } from "./schema.ts"

const inputSchema = z.object({
  sessionId: sessionIdSchema,
  message: messageSchema
    .nullish()
    .describe("The reply, or the outcome of a client-side action; absent: continue without one"),
  textBubbleContentFormat: textFormatSchema,
})

const outputSchema = z
  .object(chatStepShape)
  .meta({ id: "ChatStep", description: "How a chat responds to a message" })

export const continueProcedure = publicOperation("POST /sessions/{sessionId}/continueChat", {
  operationId: "continueChat",
  takesKey: true,
  admits: "anybody",
  isTrusted: true,
  takesPlainInput: true,
  inPath: ["sessionId"],
  tag: "Chat",
  summary: "Continue a chat",
  description:
    "Sends a message to a chat. After an invalid reply the question is asked again, with status 200. With an `Idempotency-Key` header, a repeated request gets the first response.",
  example: { request: { message: { type: "text", text: "Ann" } }, response: exampleThanks },
})
  .input(inputSchema)
  .output(outputSchema)
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("continueChat", input.sessionId)
    const { sessionId } = input
    const request = { ...turnRequestOf(ctx, input), sessionId, address: ctx.ip }
    return observed(ctx, "continue", (chat) => continueChat(chat, request))
  })
