/** POST /api/v1/bots/{botId}/conversations/{key}/messages */
import { z } from "zod"
import { sendMessage } from "../../chat/conversations/sendMessage.ts"
import { type Message, messageSchema } from "../../engine/schema/message.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { observed, turnRequestOf } from "../chat/observeTurn.ts"
import { chatStepShape, sessionIdSchema, startShape } from "../chat/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { keySchema, resultIdMember, stateSchema } from "./schema.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  key: keySchema,
  message: messageSchema
    .nullish()
    .describe("What the person sent; the message that starts a chat answers the first input"),
  prefilledVariables: startShape.prefilledVariables.describe(
    "Values by variable name for a chat that starts",
  ),
  metadata: z
    .object({ replyId: z.string().max(255).optional().describe("Id of the chosen item") })
    .nullish()
    .describe("Metadata of a message that is sent as a plain string"),
  textBubbleContentFormat: startShape.textBubbleContentFormat,
})

const outputSchema = z
  .object({
    sessionId: sessionIdSchema,
    resultId: resultIdMember,
    conversation: z
      .object({
        key: keySchema,
        state: stateSchema,
        isNew: z.boolean().describe("Whether this message started the chat"),
      })
      .describe("The conversation after this message"),
    ...chatStepShape,
  })
  .meta({ id: "ConversationStep", description: "How a conversation responds to a message" })

/** Answers a message under the caller's own key. */
export const sendMessageProcedure = tokenOperation(
  "POST /bots/{botId}/conversations/{key}/messages",
  {
    operationId: "sendConversationMessage",
    takesKey: true,
    admits: "botWriters",
    isTrusted: true,
    // A gateway calls it for many people with one token.
    limitedBy: "conversationMessage",
    tag: "Conversations",
    isAudited: false,
    errorResponses: [409, 422],
    summary: "Send a message under your own key",
    description:
      "Continues the open chat of the key, or starts one. With the channel's message id as " +
      "`Idempotency-Key`, a redelivered message gets the first response. While the conversation is " +
      "paused, the message is stored and the bot says nothing.",
  },
)
  .input(inputSchema)
  .output(outputSchema)
  .mutation(async ({ ctx, input }) => {
    const { botId, key } = input
    await requireBot(ctx, botId, "write")
    const { message, ...request } = turnRequestOf(ctx, input)
    const prefilledVariables = input.prefilledVariables ?? undefined
    const sent = { ...request, botId, key, message: described(message, input), prefilledVariables }
    return await observed(ctx, "conversation", (chat) => sendMessage(chat, sent))
  })

/** The message with the `metadata` that the request gives next to it. */
function described(
  message: Message | undefined,
  { metadata }: z.infer<typeof inputSchema>,
): Message | undefined {
  return metadata && message?.type === "text" ? { metadata, ...message } : message
}
