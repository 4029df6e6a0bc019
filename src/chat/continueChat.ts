/** Continues a chat with a message. */
import type { Message } from "../engine/schema/message.ts"
import { reply } from "../engine/turn.ts"
import { notFound } from "../shared/errors.ts"
import { admitToSession, type Origin } from "./admission.ts"
import type { Chat } from "./chat.ts"
import type { ChatAnswer } from "./idempotency.ts"
import { type ChatStep, respond } from "./respond.ts"
import { loadSession, openSessionStore } from "./sessions/loadSession.ts"
import type { StoredSession } from "./sessions/sessionStore.ts"
import { unansweredOverheadBytes } from "./sessions/unanswered.ts"
import { type PreparedTurn, type TurnRequest, takeTurn } from "./takeTurn.ts"

export type ContinueChatRequest = Origin &
  TurnRequest & {
    sessionId: string
    message?: Message | undefined
    /** IP address of the caller. */
    address: string
  }

/** Continues a chat; two calls at once are both carried out, one after the other. */
export function continueChat(
  chat: Chat,
  request: ContinueChatRequest,
): Promise<ChatAnswer<ChatStep>> {
  const { sessionId, message, keyed, hasLeft } = request
  const turn = {
    request,
    store: openSessionStore(chat, sessionId),
    asked: keyed?.key ?? JSON.stringify(message),
    deadline: performance.now() + chat.turnTimeoutMs,
    busy: "This chat is busy with another message",
    isDroppable: false,
    prepare: (session: StoredSession | undefined) => prepare(chat, request, session),
  }
  return chat.queue.run(sessionId, () => takeTurn(chat, turn), hasLeft)
}

async function prepare(
  chat: Chat,
  request: ContinueChatRequest,
  stored: StoredSession | undefined,
): Promise<PreparedTurn<ChatStep>> {
  if (!stored) throw notFound("Session")
  const loaded = await loadSession(chat, stored)
  admitToSession(chat, loaded, request)
  const { message, address } = request
  const { botId } = loaded.owner
  const bytes = stored.state.length + unansweredOverheadBytes
  return {
    loaded,
    unanswered: stored.unansweredUntil && { address, botId, bytes },
    begin: (deps) => reply(deps, loaded.session, message),
    respond,
  }
}
