/** Continues a chat with a message. */
import type { Message } from "../engine/schema/message.ts"
import { reply } from "../engine/turn.ts"
import { notFound } from "../shared/errors.ts"
import { admitToSession, type Origin } from "./admission.ts"
import type { Chat } from "./chat.ts"
import type { ChatAnswer } from "./idempotency.ts"
import { type ChatStep, respond } from "./respond.ts"
import { loadSession, openSessionStore } from "./sessions/loadSession.ts"
import { type TurnRequest, type TurnToTake, takeTurn } from "./takeTurn.ts"

export type ContinueChatRequest = Origin &
  TurnRequest & { sessionId: string; message?: Message | undefined; address: string }

/** Continues a chat; two calls at once are both carried out, one after the other. */
export function continueChat(
  chat: Chat,
  request: ContinueChatRequest,
): Promise<ChatAnswer<ChatStep>> {
  const { sessionId, message, keyed, hasLeft } = request
  const turn: TurnToTake<ChatStep> = {
    request,
    store: openSessionStore(chat, sessionId),
    asked: keyed?.key ?? JSON.stringify(message),
    deadline: performance.now() + chat.turnTimeoutMs,
    busy: "This chat is busy with another message",
    isDroppable: false,
    async load(stored) {
      if (!stored) throw notFound("Session")
      const loaded = await loadSession(chat, stored)
      admitToSession(chat, loaded, request)
      return loaded
    },
    begin: (deps, session) => reply(deps, session, message),
    respond,
  }
  return chat.queue.run(sessionId, () => takeTurn(chat, turn), hasLeft)
}
