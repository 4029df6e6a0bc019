/** The chat that an operation is about, if its caller has a role at the bot. */
import { keyIdOf } from "../../chat/conversations/sendMessage.ts"
import { viewChats } from "../../chat/conversations/viewChat.ts"
import { findConversation } from "../../db/chats/conversations.ts"
import type { ChatIds } from "../../db/chats/sessions.ts"
import { AppError, notFound, orNotFound } from "../../lib/errors.ts"
import { resultIdOfSession } from "../../lib/ids.ts"
import { type BotNeed, requireBot } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import type { Context } from "../context.ts"

/** A chat of a bot, perhaps under a key. */
export type OpenChat = ChatIds & { botId: string; key?: string | undefined }

type AdmittedContext = Pick<Context, "db" | "chat"> & { user: Caller }

/** The chat of a key. Throws a 404 when there is none, or the caller has no role at the bot. */
export async function requireKeyedChat(
  ctx: AdmittedContext,
  { botId, key }: { botId: string; key: string },
  need: BotNeed,
): Promise<OpenChat> {
  await requireBot(ctx, botId, need)
  const ids = orNotFound(await findConversation(ctx.db, keyIdOf({ botId, key })), "Conversation")
  return { ...ids, botId, key }
}

/** The chat of a session. Throws a 404 when there is none, or the caller has no role at its bot. */
export async function requireChat(ctx: AdmittedContext, sessionId: string, need: BotNeed) {
  const resultId = resultIdOfSession(sessionId)
  const ids: ChatIds[] = resultId === undefined ? [] : [{ resultId, sessionId }]
  const [view] = await viewChats(ctx.chat, ids)
  if (!view) throw notFound("Session")
  try {
    await requireBot(ctx, view.botId, need)
  } catch (error) {
    // The message must not reveal whether the session exists.
    throw error instanceof AppError && error.code === "NOT_FOUND" ? notFound("Session") : error
  }
  return view
}
