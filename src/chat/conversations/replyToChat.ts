/** A person of the team answers in a paused chat, as one of its turns, which the flow does not hear. */
import type { Notice } from "../../db/chats/sessions.ts"
import { toMarkdown } from "../../engine/richText/toMarkdown.ts"
import type { TeamMessage } from "../../engine/schema/message.ts"
import { isPaused, type Session } from "../../engine/session.ts"
import type { EngineDeps, Turn } from "../../engine/turn/run.ts"
import { steer } from "../../engine/turn/steer.ts"
import { AppError } from "../../lib/errors.ts"
import type { Chat } from "../chat.ts"
import type { TeamReply } from "../events/eventSchemas.ts"
import type { ChatAnswer } from "../idempotency.ts"
import { createLiveStore } from "../sessions/liveStore.ts"
import { type TurnRequest, type TurnToTake, takeTurn } from "../takeTurn.ts"
import { idsAfter, type PauseLength, paused } from "./pausing.ts"
import { tellListeners } from "./sessionListeners.ts"
import { loadOpenChat } from "./steerChat.ts"

type ReplyRequest = TurnRequest &
  PauseLength &
  Omit<TeamReply, "id" | "text"> & {
    resultId: string
    sessionId: string
    /** Absent: there is rich text. */
    text?: string | undefined
    /** Whether it pauses a chat that is not. Absent: that chat refuses it. */
    pause?: boolean | null | undefined
  }

/** Answers the person. 404 when the chat is over, 409 when it is not paused. */
export async function replyToChat(
  chat: Chat,
  request: ReplyRequest,
): Promise<ChatAnswer<{ reply: TeamReply }>> {
  const { resultId, sessionId, keyed, hasLeft, richText = [] } = request
  const { attachedFileUrls, author, text = toMarkdown(richText) } = request
  const said = { text, richText: request.richText, attachedFileUrls, author }
  const message: TeamMessage = { isTeam: true, ...said }
  let reply: TeamReply = { id: "", ...said }
  let notices: Notice[] = []
  const turn: TurnToTake<{ reply: TeamReply }> = {
    request,
    store: createLiveStore(chat, { resultId, sessionId }),
    asked: JSON.stringify(["reply", keyed?.key]),
    deadline: performance.now() + chat.turnTimeoutMs,
    busy: "This chat is busy with a message",
    load: (stored) => loadOpenChat(chat, sessionId, stored),
    begin(deps, session) {
      const nextId = idsAfter(session)
      notices = isPaused(session) ? [] : [{ id: nextId(), type: "conversation.paused", data: {} }]
      reply = { ...reply, id: nextId() }
      return beginTurn(deps, session, request)
    },
    also: () => ({
      notices,
      kept: [{ id: reply.id, message }],
      happened: [{ type: "conversation.reply", data: { reply } }],
    }),
    respond: () => ({ reply }),
  }
  const answer = await chat.queue.run(sessionId, () => takeTurn(chat, turn), hasLeft)
  if (!answer.isReplayed) await tellListeners(chat, resultId)
  return answer
}

function beginTurn(deps: EngineDeps, session: Session, request: ReplyRequest): Turn {
  if (!isPaused(session) && !request.pause) {
    throw new AppError(
      "CHAT_NOT_PAUSED",
      "This chat is not paused: pause it first, or with the reply",
    )
  }
  // Nothing would delete the messages of a chat without a result.
  if (session.at === undefined) {
    throw new AppError(
      "CHAT_NOT_PAUSED",
      "This chat has not begun, and cannot be paused for a reply",
    )
  }
  return paused(steer(deps, session, {}), deps.world.now(), request)
}
