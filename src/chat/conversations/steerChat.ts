/** Steers a chat from outside, as one of its turns: pause, resume, end, set variables, go elsewhere. */
import type { Notice } from "../../db/chats/sessions.ts"
import { hasEnded, type Session } from "../../engine/session.ts"
import type { EngineDeps, Turn } from "../../engine/turn/run.ts"
import { type Steering, steer } from "../../engine/turn/steer.ts"
import { badRequest, chatPaused, sessionNotFound } from "../../lib/errors.ts"
import { newUuid } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { type ChatStep, respond } from "../continueChat.ts"
import type { ChatAnswer } from "../idempotency.ts"
import { chatGone } from "../sessions/chatGone.ts"
import { createLiveStore } from "../sessions/liveStore.ts"
import { loadSession } from "../sessions/loadSession.ts"
import { type TurnRequest, type TurnToTake, takeTurn } from "../takeTurn.ts"
import { tellListeners } from "./sessionListeners.ts"

/** Changes to a chat. */
type SteerRequest = TurnRequest &
  Steering & {
    resultId: string
    sessionId: string
    /** Absent: as it is. */
    state?: "active" | "paused" | "ended" | undefined
  }

/** Steers a chat. 404 when it is over, 409 when it has to be resumed first. */
export async function steerChat(chat: Chat, request: SteerRequest): Promise<ChatAnswer<ChatStep>> {
  const { resultId, sessionId, continueAt, state, hasLeft } = request
  if (continueAt && (state === "paused" || state === "ended")) {
    throw badRequest(`A chat that is ${state} cannot go on elsewhere: resume it instead`)
  }
  let before: Session | undefined
  const turn: TurnToTake<ChatStep> = {
    request,
    store: createLiveStore(chat, { resultId, sessionId }),
    asked: JSON.stringify(["steer", request.keyed?.key, continueAt]),
    deadline: performance.now() + chat.turnTimeoutMs,
    busy: "This chat is busy with a message",
    async load(stored) {
      if (!stored) throw await chatGone(chat, sessionId)
      const loaded = await loadSession(chat, stored)
      before = loaded.session
      if (hasEnded(before)) throw sessionNotFound("CHAT_ENDED")
      return loaded
    },
    begin: (deps, session) => beginTurn(deps, session, request),
    also: (finished) => ({ told: before ? noticesOf(before, finished, request) : [] }),
    respond,
  }
  const answer = await chat.queue.run(sessionId, () => takeTurn(chat, turn), hasLeft)
  if (!answer.isReplayed) await tellListeners(chat, resultId)
  return answer
}

function beginTurn(deps: EngineDeps, session: Session, request: SteerRequest): Turn {
  const { state, variables, continueAt } = request
  const wasPaused = session.conversation?.pausedAt
  if (continueAt && wasPaused !== undefined && state !== "active") throw chatPaused()
  const turn = steer(deps, session, { variables, continueAt })
  if (state === "ended") {
    return { ...turn, isWaiting: false, session: { ...turn.session, step: session.step + 1 } }
  }
  if (state === undefined) return turn
  const pausedAt = state === "paused" ? (wasPaused ?? deps.world.now()) : undefined
  const conversation = { ...turn.session.conversation, pausedAt }
  return { ...turn, session: { ...turn.session, conversation } }
}

/** The events of a change for the clients that listen to the session, in order. */
function noticesOf(before: Session, turn: Turn, { state, continueAt }: SteerRequest): Notice[] {
  const [was, is] = [before, turn.session].map(({ conversation }) => conversation?.pausedAt)
  const notices: Notice[] = []
  const note = (type: string, data: object = {}) => notices.push({ id: newUuid(), type, data })
  if (state === "ended") note("conversation.ended")
  else if (was === undefined && is !== undefined) note("conversation.paused")
  else if (was !== undefined && is === undefined) note("conversation.resumed")
  if (continueAt) note("conversation.continued", respond(turn))
  return notices
}
