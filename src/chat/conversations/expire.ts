/** Ends chats that have been silent for too long. */
import {
  type EventRow,
  findSession,
  type SessionAddress,
  saveTurn,
} from "../../db/chats/sessions.ts"
import { hasEnded, readSession } from "../../engine/session.ts"
import { newUuid } from "../../ids.ts"
import type { Chat } from "../chat.ts"
import { eventsOf, eventsOfChange } from "../events/conversationEvents.ts"
import { tellListeners } from "./sessionListeners.ts"

/** Ends a chat whose time is over. Returns false while it still has a session. */
export async function expireIfDue(chat: Chat, address: SessionAddress): Promise<boolean> {
  const { session } = await findSession(chat.db, address)
  if (!session) return true
  // A chat that ended in its first turn keeps its session.
  if (!session.isExpired) return hasEnded(readSession(session.state))
  if (session.isClaimed && session.claimedBy !== chat.processId) return false
  return await expire(chat, address, session)
}

/** Ends a chat by silence, unless a turn is first. Returns whether it did. */
export async function expire(
  chat: Chat,
  { resultId, id: sessionId }: SessionAddress,
  { botId, versionId, revision }: { botId: string; versionId: string; revision: number },
): Promise<boolean> {
  const told = [{ id: newUuid(), type: "conversation.expired", data: {} }]
  const events = await eventsOfExpiry(chat, { resultId, id: sessionId }, { botId, versionId, told })
  const conversation = { ended: "expired" as const, told }
  const rows = { botId, versionId, conversation, ...(events.length > 0 && { events }) }
  const isOver = await saveTurn(chat.db, { resultId, sessionId, revision, state: null, rows })
  if (isOver) await tellListeners(chat, resultId)
  return isOver
}

/** The webhook events of the end. The session is read again only if an endpoint wants them. */
async function eventsOfExpiry(
  { db, snapshots, subscriptions }: Chat,
  address: SessionAddress,
  { botId, versionId, told }: { botId: string; versionId: string; told: ToldRows },
): Promise<EventRow[]> {
  const { workspaceId } = (await snapshots.load(versionId)) ?? {}
  if (workspaceId === undefined || !subscriptions.concern({ workspaceId, botId })) return []
  const { session: row } = await findSession(db, address)
  if (!row) return []
  const session = readSession(row.state)
  const { resultId, id: sessionId } = address
  const { key } = session.conversation ?? {}
  const conversation = { workspaceId, botId, resultId, sessionId, key }
  return eventsOf(subscriptions, conversation, session, eventsOfChange(told)).events
}

type ToldRows = readonly { type: string; data: object }[]
