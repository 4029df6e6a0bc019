/** Ends chats that have been silent for too long. */
import {
  findSession,
  type SessionAddress,
  type SessionRow,
  saveTurn,
} from "../../db/chats/sessions.ts"
import { readSession } from "../../engine/session.ts"
import { newUuid } from "../../ids.ts"
import type { Chat } from "../chat.ts"
import { eventsOf } from "../events/conversationEvents.ts"
import { tellListeners } from "./tell.ts"

/** Ends a chat whose time is over. Returns false while it still has a session. */
export async function expireIfDue(chat: Chat, address: SessionAddress): Promise<boolean> {
  const { session } = await findSession(chat.db, address)
  if (!session) return true
  if (!session.isExpired) return isEndedInPlace(session.state)
  if (session.isClaimed && session.claimedBy !== chat.processId) return false
  return await expire(chat, address, session)
}

/** One that was over at once has kept its session. */
function isEndedInPlace(state: string): boolean {
  const { at, step } = readSession(state)
  return at === undefined && step > 0
}

type Expiring = Pick<SessionRow, "botId" | "versionId" | "revision" | "state">

/** Ends a chat by silence, unless a turn is first. Returns whether it did. */
export async function expire(
  chat: Chat,
  { resultId, id: sessionId }: SessionAddress,
  { botId, versionId, revision, state }: Expiring,
): Promise<boolean> {
  const { conversation: known, ...session } = readSession(state)
  const { workspaceId } = (await chat.snapshots.load(versionId)) ?? {}
  const conversation = { workspaceId, botId, resultId, sessionId, key: known?.key }
  const happened = [{ type: "conversation.expired" as const, data: {} }]
  const { events } = eventsOf(chat.subscriptions, conversation, session, happened)
  const told = [{ id: newUuid(), type: "conversation.expired", data: {} }]
  const ended = { ended: "expired" as const, told }
  const rows = { botId, versionId, conversation: ended, ...(events.length > 0 && { events }) }
  const isOver = await saveTurn(chat.db, { resultId, sessionId, revision, state: null, rows })
  if (isOver) await tellListeners(chat, resultId)
  return isOver
}
