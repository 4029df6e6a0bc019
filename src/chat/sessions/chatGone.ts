/** Says why there is no session: that is asked for only when one was not found. */
import { findEnding } from "../../db/chats/conversations.ts"
import { type AppError, sessionNotFound } from "../../errors.ts"
import { resultIdOfSession } from "../../ids.ts"
import type { Chat } from "../chat.ts"

/** The 404 for a session that is not there, with how the chat ended as far as that is known. */
export async function chatGone({ db }: Pick<Chat, "db">, sessionId: string): Promise<AppError> {
  const resultId = resultIdOfSession(sessionId)
  const ending = resultId && (await findEnding(db, { resultId, id: sessionId }))
  if (!ending) return sessionNotFound()
  return sessionNotFound(ending.state === "ended" ? "CHAT_ENDED" : "CHAT_EXPIRED")
}
