/** Finds the session of the chat of a key, or makes the one that it begins with. */
import { findEnding } from "../../db/chats/conversations.ts"
import type { ChatIds } from "../../db/chats/sessions.ts"
import { createSession, isPaused, type Session } from "../../engine/session.ts"
import { sessionNotFound } from "../../lib/errors.ts"
import { timeOfUuid } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { loadSession } from "../sessions/loadSession.ts"
import type { LoadedSession, StoredSession } from "../sessions/sessionStore.ts"
import { loadedOf, type Started } from "../startChat.ts"

/** What the first message says about its chat. */
type Beginning = { key: string; prefilledVariables?: Record<string, unknown> | undefined }

/** Whether nothing of a chat has run: its first messages wait. */
export function isUnbegun({ at, step, conversation }: Session): boolean {
  return at === undefined && step === 0 && conversation?.burst !== undefined
}

/** A first message may be under way for as long as a turn takes. */
const maxStartMs = 600_000

/** The session of an open chat; undefined: it begins. 404 when it is over. */
export async function findOpen(chat: Chat, ids: ChatIds, stored: StoredSession | undefined) {
  if (!stored) {
    const ending = await findEnding(chat.db, ids)
    // A chat this old without a trace was deleted.
    const isGone = ending || timeOfUuid(ids.resultId) < Date.now() - maxStartMs
    if (isGone) throw sessionNotFound(ending?.state === "ended" ? "CHAT_ENDED" : "CHAT_EXPIRED")
    return undefined
  }
  const loaded = await loadSession(chat, stored)
  const { session } = loaded
  if (session.at !== undefined || isPaused(session) || isUnbegun(session)) return loaded
  if (session.step > 0) throw sessionNotFound("CHAT_ENDED")
  return undefined
}

/** The session of a chat that its first message begins. */
export function createFreshSession(
  { key, prefilledVariables: prefilled }: Beginning,
  started: Started,
  ids: ChatIds,
): LoadedSession {
  const { bot } = started
  const flags = { isPreview: false, isStreamEnabled: false }
  const session = createSession({ bot, ...flags, resultId: ids.resultId, prefilled })
  return loadedOf(started, ids, { ...session, conversation: { key } })
}
