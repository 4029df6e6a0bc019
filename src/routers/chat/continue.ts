/** Continues a chat. */
import { z } from "zod"
import { continueChat } from "../../chat/continueChat.ts"
import { messageSchema } from "../../engine/schema/message.ts"
import { plainInput } from "../input.ts"
import { publicOperation, trusted } from "../trpc.ts"
import { observed, turnRequestOf } from "./observeTurn.ts"
import { chatStepShape, sessionIdSchema, textFormatSchema } from "./schema.ts"
import { noticing, withStrayLog } from "./strayMembers.ts"

const inputSchema = z.object({
  sessionId: sessionIdSchema,
  message: messageSchema
    .nullish()
    .describe("The reply, or the outcome of a client-side action; absent: go on without one"),
  textBubbleContentFormat: textFormatSchema,
})

const outputSchema = z
  .object(chatStepShape)
  .meta({ id: "ChatStep", description: "What a chat answers to a message" })

export const continueProcedure = publicOperation("POST /api/v1/sessions/{sessionId}/continueChat", {
  operationId: "continueChat",
  admits: "anybody",
  tag: "Chat",
  summary: "Continue a chat",
  description:
    "Sends a message into a chat. An answer that is not valid is asked for again with status 200. With an `Idempotency-Key` header, a repetition gets the first answer.",
})
  .input(noticing(plainInput(inputSchema), { shape: inputSchema.shape, inPath: "sessionId" }))
  .output(trusted(outputSchema))
  .mutation(async ({ ctx, input }) => {
    await ctx.limit("continueChat", input.sessionId)
    const { sessionId } = input
    const request = { ...turnRequestOf(ctx, input), sessionId, address: ctx.ip }
    const step = await observed(ctx, "continue", (chat) => continueChat(chat, request))
    return withStrayLog(input, step)
  })
