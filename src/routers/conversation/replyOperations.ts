/** People of the team answer in paused chats, and read what is said there. */

import { z } from "zod"
import { replyToChat } from "../../chat/conversations/replyToChat.ts"
import { replyShape, teamReplySchema } from "../../chat/events/eventSchemas.ts"
import { readKey } from "../../chat/idempotency.ts"
import { maxTextLength } from "../../engine/schema/message.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { badRequest } from "../../lib/errors.ts"
import { fitting } from "../../lib/responseSize.ts"
import type { Context } from "../context.ts"
import { bodyFlag, botIdSchema, sessionIdSchema } from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import { afterSchema, chatLineSchema, positionsOf, readLines } from "./chatMessages.ts"
import {
  exampleLine,
  exampleQuestion,
  exampleReply,
  exampleReplyIds,
  keySchema,
  resumeAfterSchema,
} from "./conversationSchemas.ts"
import { type OpenChat, requireChat, requireKeyedChat } from "./requireChat.ts"

const operation = operationsOf("Conversations")

const maxRichTextLength = maxTextLength

const replySchema = z.object({
  text: z
    .string()
    .min(1)
    .max(maxTextLength)
    .optional()
    .describe("The reply as plain text; absent: there is `richText`, or files alone"),
  ...replyShape,
  pause: bodyFlag("True: pauses the chat first, if it is not. False or absent: refused with 409"),
  resumeAfter: resumeAfterSchema,
})

const repliedSchema = namedObject("ReplyTaken", "A reply that the chat has", {
  reply: teamReplySchema,
})

const reading = {
  limit: z.int().min(1).max(200).default(50).describe("Maximum number of lines"),
  after: afterSchema,
}

const linesSchema = namedObject("ChatLines", "Lines of a chat, oldest first", {
  messages: z.array(chatLineSchema).describe("The lines, oldest first"),
  nextCursor: z
    .string()
    .optional()
    .describe("Send it as `after` for what follows, now or later; absent: there is no line at all"),
  hasMore: z.boolean().describe("Whether more lines follow already"),
})

const replyWords =
  "The person sees it at once, or when they open the chat again. The flow does not hear it, and the " +
  "transcript has it. 409 with the reason `CHAT_NOT_PAUSED` unless the chat is paused, or `pause` is true."

const readWords =
  "What the bot, the person and the team said, as the person saw it, rejected replies included: at most 200 " +
  "lines. With `after` it continues, now or later. 422 when the chat is too long to read."

const replied = (id: string) => ({ reply: { id, ...exampleReply } })

const [firstId, secondId] = exampleReplyIds

export const replies = {
  reply: operation("POST /bots/{botId}/conversations/{key}/replies", {
    operationId: "replyToConversation",
    takesKey: true,
    admits: "botWriters",
    isAudited: false,
    limitedBy: "conversationMessage",
    summary: "Answer the person of a key",
    description: replyWords,
    example: { request: { ...exampleReply, pause: true }, response: replied(firstId) },
    input: replySchema.extend({ botId: botIdSchema, key: keySchema }),
    output: repliedSchema,
  }).mutation(async ({ ctx, input: { botId, key, ...reply } }) => {
    return await send(ctx, await requireKeyedChat(ctx, { botId, key }, "write"), reply)
  }),

  replyInSession: operation("POST /sessions/{sessionId}/replies", {
    operationId: "replyInSession",
    takesKey: true,
    admits: "botWriters",
    isAudited: false,
    limitedBy: "conversationMessage",
    summary: "Answer the person of a chat",
    description: `Also works for chats without a key. ${replyWords}`,
    example: { request: { ...exampleReply, pause: true }, response: replied(secondId) },
    input: replySchema.extend({ sessionId: sessionIdSchema }),
    output: repliedSchema,
  }).mutation(async ({ ctx, input: { sessionId, ...reply } }) => {
    return await send(ctx, await requireChat(ctx, sessionId, "write"), reply)
  }),

  listMessages: operation("GET /bots/{botId}/conversations/{key}/messages", {
    operationId: "listConversationMessages",
    admits: "botReaders",
    errorResponses: [422],
    summary: "Read the chat of a key",
    description: readWords,
    example: {
      response: {
        messages: [exampleQuestion, exampleLine(firstId)],
        nextCursor: "AAHn0Q",
        hasMore: false,
      },
    },
    input: { botId: botIdSchema, key: keySchema, ...reading },
    output: linesSchema,
  }).query(async ({ ctx, input: { botId, key, ...page } }) => {
    return await read(ctx, await requireKeyedChat(ctx, { botId, key }, "read"), page)
  }),

  listSessionMessages: operation("GET /sessions/{sessionId}/messages", {
    operationId: "listSessionMessages",
    admits: "botReaders",
    errorResponses: [422],
    summary: "Read a chat by its session",
    description: `Also works for chats without a key. ${readWords}`,
    example: {
      response: { messages: [exampleLine(secondId)], nextCursor: "AAHn1R", hasMore: false },
    },
    input: { sessionId: sessionIdSchema, ...reading },
    output: linesSchema,
  }).query(async ({ ctx, input: { sessionId, ...page } }) => {
    return await read(ctx, await requireChat(ctx, sessionId, "read"), page)
  }),
}

async function send(ctx: Context, of: OpenChat, sent: z.infer<typeof replySchema>) {
  const { text, richText, attachedFileUrls } = sent
  if (text === undefined && richText === undefined && !attachedFileUrls?.length) {
    throw badRequest("A reply needs `text`, `richText` or `attachedFileUrls`")
  }
  if (text !== undefined && richText !== undefined) {
    throw badRequest("A reply takes `text` or `richText`, not both")
  }
  if (richText && JSON.stringify(richText).length > maxRichTextLength) {
    throw badRequest(`richText may take ${maxRichTextLength} characters as JSON`)
  }
  const { idempotencyKey, hasLeft } = ctx
  const keyed = idempotencyKey === undefined ? undefined : readKey(idempotencyKey, sent)
  const { resultId, sessionId } = of
  const request = { ...sent, resultId, sessionId, keyed, hasLeft, textFormat: "richText" as const }
  const { step, isReplayed } = await replyToChat(ctx.chat, request)
  if (isReplayed) ctx.setHeader("Idempotent-Replayed", "true")
  return step
}

async function read(
  ctx: Context,
  of: OpenChat,
  { limit, after }: { limit: number; after?: string | undefined },
) {
  const positions = positionsOf(ctx, of)
  const lines = await readLines(ctx, of, positions.open(after))
  const page = fitting(lines.slice(0, limit))
  const last = page.at(-1)
  const nextCursor = last ? positions.seal(last.position) : after
  return {
    messages: page.map(({ line }) => line),
    ...(nextCursor !== undefined && { nextCursor }),
    hasMore: page.length < lines.length,
  }
}
