/** Accepts the call of another system to a chat that waits for it, and stores it for the chat's client. */
import { listPreviewIds } from "../../db/chats/previews.ts"
import { findLastSessionId } from "../../db/chats/sessions.ts"
import { insertWebhookCall } from "../../db/chats/webhookCalls.ts"
import { inboundWaitOf } from "../../engine/session.ts"
import { notFound, tooManyRequests } from "../../lib/errors.ts"
import { callsId, newUuid } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { findLoadedSession } from "../sessions/loadSession.ts"
import type { LoadedSession } from "../sessions/sessionStore.ts"

/** A call to a block; the caller may change its bot. */
type WebhookCall = { botId: string; blockId: string; body: Record<string, unknown> }

/** Max pending calls per chat. */
const maxOpenCalls = 20

/** Calls the last chat of a result. 404 unless it waits at exactly this block of this bot. */
export async function callChat(
  chat: Chat,
  call: WebhookCall & { resultId: string },
): Promise<void> {
  const { resultId } = call
  const sessionId = await findLastSessionId(chat.db, resultId)
  const loaded = sessionId === undefined ? undefined : await findLoadedSession(chat, sessionId)
  const records = loaded?.session.queue.some((running) => running.resultId === resultId)
  if (!loaded || !records || !waitsFor(loaded, call)) throw noWaitingChat()
  await insert(chat, loaded, call)
}

/** Calls the latest of the caller's previews that waits at this block of this bot. */
export async function callPreview(
  chat: Chat,
  call: WebhookCall & { userId: string },
): Promise<void> {
  for (const sessionId of await listPreviewIds(chat.db, call.userId)) {
    const loaded = await findLoadedSession(chat, sessionId)
    if (loaded && waitsFor(loaded, call)) return insert(chat, loaded, call)
  }
  throw noWaitingChat()
}

function waitsFor({ session, bots }: LoadedSession, { botId, blockId }: WebhookCall): boolean {
  const wait = inboundWaitOf(session, bots)
  return wait?.botId === botId && wait.blockId === blockId
}

const noWaitingChat = () => notFound("Waiting chat")

async function insert(
  chat: Chat,
  { owner: { sessionId } }: LoadedSession,
  { blockId, body }: WebhookCall,
): Promise<void> {
  const resultId = callsId(sessionId)
  const call = { resultId, sessionId, id: newUuid(), blockId, body: JSON.stringify(body) }
  // One at a time, so that calls to one chat wait here and not on connections to the database.
  const inserted = await chat.queue.run(`calls ${sessionId}`, () =>
    insertWebhookCall(chat.db, call, maxOpenCalls),
  )
  if (inserted === "over") throw noWaitingChat()
  if (inserted === "full") {
    throw tooManyRequests("waitingCalls", "This chat has not taken its earlier calls yet", 10)
  }
  await chat.notify("webhook_called", resultId)
}
