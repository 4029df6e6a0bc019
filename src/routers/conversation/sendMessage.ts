/** POST /api/v1/bots/{botId}/conversations/{key}/messages */

import { z } from "zod"
import { sendMessage } from "../../chat/conversations/sendMessage.ts"
import { type Message, messageSchema } from "../../engine/schema/message.ts"
import { maxCollectSeconds, namedObject } from "../../engine/schema/sharedMembers.ts"
import { requireBot } from "../../people/access.ts"
import { chatStepShape, startShape } from "../chat/chatSchemas.ts"
import { observed, turnRequestOf } from "../chat/observeTurn.ts"
import { exampleIds, exampleThanks } from "../examples.ts"
import { botIdSchema, sessionIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import {
  exampleConversation,
  keySchema,
  resultIdMember,
  stateSchema,
} from "./conversationSchemas.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  key: keySchema,
  message: messageSchema
    .nullish()
    .describe("What the person sent; see `startsWithMessage` for the message that starts a chat"),
  startsWithMessage: z
    .boolean()
    .nullish()
    .describe(
      "What becomes of a message that starts a chat. true: it is the reply to the first question, which may refuse it as it may any reply; false: it answers nothing, like a greeting; absent: it answers the first question if that accepts it, also after something was shown. A message that answers nothing is in the transcript",
    ),
  collect: z
    .number()
    .min(0)
    .max(maxCollectSeconds)
    .nullish()
    .describe(
      "Seconds for which the message waits for others under the key, which are joined by line breaks and answered once; 0: none; null or absent: `settings.sessions.collectSeconds` of the bot",
    ),
  prefilledVariables: startShape.prefilledVariables.describe(
    "Values by variable name for a chat that starts",
  ),
  metadata: z
    .object({ replyId: z.string().max(255).optional().describe("Id of the chosen item") })
    .nullish()
    .describe("Metadata of a message that is sent as a plain string"),
  textBubbleContentFormat: startShape.textBubbleContentFormat,
})

export const sendMessageProcedure = tokenOperation(
  "POST /bots/{botId}/conversations/{key}/messages",
  {
    operationId: "sendConversationMessage",
    takesKey: true,
    admits: "botWriters",
    isTrusted: true,
    inPath: ["botId", "key"],
    // A gateway calls it for many people with one token.
    limitedBy: "conversationMessage",
    tag: "Conversations",
    isAudited: false,
    summary: "Send a message under your own key",
    description:
      "Continues the open chat of the key, or starts one; then the message is the answer to the first " +
      "question if that accepts it (`startsWithMessage`). With the channel's message id as " +
      "`Idempotency-Key`, a redelivered message gets the first response. While the conversation is " +
      "paused, the message is stored and the bot says nothing. With `collect`, plain texts that come within some " +
      "seconds of the first are one message: their calls get the same response, and the transcript has one answer. Files, " +
      "voice, commands and choices end the wait and come after it; so do more than 20 messages and 100,000 characters.",
    example: {
      request: { message: "Ann" },
      response: {
        sessionId: exampleConversation.sessionId,
        resultId: exampleConversation.resultId,
        conversation: { key: exampleIds.key, state: "ended", isNew: false },
        ...exampleThanks,
      },
    },
    input: inputSchema,
    output: namedObject("ConversationStep", "How a conversation responds to a message", {
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
    }),
  },
).mutation(async ({ ctx, input }) => {
  const { botId, key } = input
  await requireBot(ctx, botId, "write")
  const { message, ...request } = turnRequestOf(ctx, input)
  const sent = {
    ...request,
    botId,
    key,
    message: described(message, input),
    startsWithMessage: input.startsWithMessage ?? undefined,
    collect: input.collect ?? undefined,
    prefilledVariables: input.prefilledVariables ?? undefined,
  }
  return await observed(ctx, "conversation", (chat) => sendMessage(chat, sent))
})

/** The message with the `metadata` that the request gives next to it. */
function described(message: Message | undefined, { metadata }: z.infer<typeof inputSchema>) {
  return metadata && message?.type === "text" ? { metadata, ...message } : message
}
