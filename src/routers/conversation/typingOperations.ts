/** Signs of typing, from both sides of a chat to the other; nothing is stored. */

import { findSession } from "../../db/chats/sessions.ts"
import { sessionNotFound } from "../../lib/errors.ts"
import { resultIdOfSession } from "../../lib/ids.ts"
import { botIdSchema, done, doneSchema, sessionIdSchema } from "../sharedSchemas.ts"
import { operationsOf, publicOperation } from "../trpc.ts"
import { keySchema } from "./conversationSchemas.ts"
import { requireChat, requireKeyedChat } from "./requireChat.ts"

const operation = operationsOf("Conversations")

const words =
  "The other side hears of it at once, if it listens, and shows it for some seconds. Send it again every few " +
  "seconds as long as it lasts; more often than every two seconds has no effect."

export const typing = {
  typing: operation("POST /bots/{botId}/conversations/{key}/typing", {
    operationId: "signTyping",
    admits: "botWriters",
    isAudited: false,
    limitedBy: "conversationMessage",
    summary: "Say that the team types",
    description: words,
    input: { botId: botIdSchema, key: keySchema },
  }).mutation(async ({ ctx, input }) => {
    const { resultId } = await requireKeyedChat(ctx, input, "write")
    await ctx.live.sessionEvents.signTyping(resultId, "team")
    return done
  }),

  typingInSession: operation("POST /sessions/{sessionId}/replies/typing", {
    operationId: "signTypingInSession",
    admits: "botWriters",
    isAudited: false,
    limitedBy: "conversationMessage",
    summary: "Say that the team types in a chat",
    description: `Also works for chats without a key. ${words}`,
    input: { sessionId: sessionIdSchema },
  }).mutation(async ({ ctx, input: { sessionId } }) => {
    const { resultId } = await requireChat(ctx, sessionId, "write")
    await ctx.live.sessionEvents.signTyping(resultId, "team")
    return done
  }),
}

export const personTypesProcedure = publicOperation("POST /sessions/{sessionId}/typing", {
  operationId: "signTypingOfPerson",
  admits: "anybody",
  takesPlainInput: true,
  tag: "Chat",
  summary: "Say that the person types",
  description: `For a person whose chat is paused. ${words}`,
  example: { response: done },
  input: { sessionId: sessionIdSchema },
  output: doneSchema,
}).mutation(async ({ ctx, input: { sessionId } }) => {
  const resultId = resultIdOfSession(sessionId)
  if (resultId === undefined) throw sessionNotFound()
  const { session } = await findSession(ctx.db, { resultId, sessionId })
  if (!session || session.isExpired) throw sessionNotFound()
  await ctx.live.sessionEvents.signTyping(resultId, "person")
  return done
})
