/** Ends chats that have been silent for too long. */
import { type ChatIds, type EventRow, findSession, saveTurn } from "../../db/chats/sessions.ts"
import { hasEnded, readSession } from "../../engine/session.ts"
import { newUuid } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { eventsOf } from "../events/conversationEvents.ts"
import { tellListeners } from "./sessionListeners.ts"

/** Ends a chat whose time is over. Returns false while it still has a session. */
export async function expireIfDue(chat: Chat, ids: ChatIds): Promise<boolean> {
  const { session } = await findSession(chat.db, ids)
  if (!session) return true
  // A chat that ended in its first turn keeps its session.
  if (!session.isExpired) return hasEnded(readSession(session.state))
  if (session.isClaimed && session.claimedBy !== chat.processId) return false
  return await expire(chat, ids, session)
}

/** Ends a chat by silence, unless a turn is first. Returns whether it did. */
export async function expire(
  chat: Chat,
  { resultId, sessionId }: ChatIds,
  { botId, versionId, revision }: { botId: string; versionId: string; revision: number },
): Promise<boolean> {
  const notices = [{ id: newUuid(), type: "conversation.expired", data: {} }]
  const events = await eventsOfExpiry(chat, { resultId, sessionId }, { botId, versionId })
  const conversation = { ended: "expired" as const, told: notices }
  const rows = { botId, versionId, conversation, ...(events.length > 0 && { events }) }
  const isOver = await saveTurn(chat.db, { resultId, sessionId, revision, state: null, rows })
  if (isOver) await tellListeners(chat, resultId)
  return isOver
}

/** The webhook events of the end. The session is read again only if an endpoint wants them. */
async function eventsOfExpiry(
  { db, snapshots, subscriptions }: Chat,
  ids: ChatIds,
  { botId, versionId }: { botId: string; versionId: string },
): Promise<EventRow[]> {
  const { workspaceId } = (await snapshots.load(versionId)) ?? {}
  if (workspaceId === undefined || !subscriptions.concern({ workspaceId, botId })) return []
  const { session: row } = await findSession(db, ids)
  if (!row) return []
  const session = readSession(row.state)
  const { key } = session.conversation ?? {}
  const conversation = { workspaceId, botId, ...ids, key }
  const happened = [{ type: "conversation.expired" as const, data: {} }]
  return eventsOf(subscriptions, conversation, session, happened).events
}
