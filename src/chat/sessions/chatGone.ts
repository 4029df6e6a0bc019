/** Why a session is missing; read only after a lookup has failed. */
import { findEnding } from "../../db/chats/conversations.ts"
import { type AppError, sessionNotFound } from "../../lib/errors.ts"
import { resultIdOfSession } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"

/** The 404 for a missing session, with how the chat ended if that is known. */
export async function chatGone({ db }: Pick<Chat, "db">, sessionId: string): Promise<AppError> {
  const resultId = resultIdOfSession(sessionId)
  const ending = resultId && (await findEnding(db, { resultId, sessionId }))
  if (!ending) return sessionNotFound()
  return sessionNotFound(ending.state === "ended" ? "CHAT_ENDED" : "CHAT_EXPIRED")
}
