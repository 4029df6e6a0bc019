/** GET and PATCH /api/v1/sessions/{sessionId} */
import { z } from "zod"
import { viewChats } from "../../chat/conversations/viewChat.ts"
import type { ChatIds } from "../../db/chats/conversations.ts"
import { AppError, notFound } from "../../errors.ts"
import { resultIdOfSession } from "../../ids.ts"
import { type BotNeed, requireBot } from "../access.ts"
import { sessionIdSchema } from "../chat/schema.ts"
import type { Caller, Context } from "../context.ts"
import { tokenOperation } from "../trpc.ts"
import { changeChat } from "./change.ts"
import { changedSchema, changeShape, conversationSchema, presentChats } from "./schema.ts"

/** Gets a chat by its session. */
export const getSessionProcedure = tokenOperation("GET /api/v1/sessions/{sessionId}", {
  operationId: "getSession",
  admits: "botReaders",
  isTrusted: true,
  tag: "Conversations",
  summary: "Get a chat by its session",
  description: "As a conversation, also for chats without a key. Needs a role at the bot.",
})
  .input(z.object({ sessionId: sessionIdSchema }))
  .output(z.object({ conversation: conversationSchema }))
  .query(async ({ ctx, input: { sessionId } }) => {
    const view = await requireChat(ctx, sessionId, "read")
    const [conversation] = await presentChats(ctx, [view])
    if (!conversation) throw notFound("Session")
    return { conversation }
  })

/** Steers a chat by its session. */
export const updateSessionProcedure = tokenOperation("PATCH /api/v1/sessions/{sessionId}", {
  operationId: "updateSession",
  admits: "botWriters",
  tag: "Conversations",
  errorResponses: [409],
  summary: "Steer a chat by its session",
  description: "As the conversation of a key, also for chats without one.",
})
  .input(
    z.object({
      sessionId: sessionIdSchema,
      ...changeShape,
      variables: changeShape.variables.describe("Values by variable name, as in conversations"),
    }),
  )
  .output(changedSchema)
  .mutation(async ({ ctx, input: { sessionId, ...change } }) => {
    const { resultId, key } = await requireChat(ctx, sessionId, "write")
    return await changeChat(ctx, { resultId, sessionId, ...(key !== undefined && { key }) }, change)
  })

/** The chat of a session. Throws a 404 when there is none, or the caller has no role at its bot. */
async function requireChat(ctx: Context & { user: Caller }, sessionId: string, need: BotNeed) {
  const resultId = resultIdOfSession(sessionId)
  const ids: ChatIds[] = resultId === undefined ? [] : [{ resultId, sessionId }]
  const [view] = await viewChats(ctx.chat, ids)
  if (!view) throw notFound("Session")
  try {
    await requireBot(ctx, view.botId, need)
  } catch (error) {
    // The words must not tell a foreign session from one that never was.
    throw error instanceof AppError && error.code === "NOT_FOUND" ? notFound("Session") : error
  }
  return view
}
