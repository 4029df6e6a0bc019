/** Steers a chat from outside, as one of its turns: pause, resume, end, set variables, go elsewhere. */
import type { Notice } from "../../db/chats/sessions.ts"
import { hasEnded, isPaused, type Session } from "../../engine/session.ts"
import type { EngineDeps, Turn } from "../../engine/turn/run.ts"
import { type Steering, steer } from "../../engine/turn/steer.ts"
import { badRequest, chatPaused, sessionNotFound } from "../../lib/errors.ts"
import type { Chat } from "../chat.ts"
import { type ChatStep, respond } from "../continueChat.ts"
import type { ChatAnswer } from "../idempotency.ts"
import { chatGone } from "../sessions/chatGone.ts"
import type { ConversationChange } from "../sessions/conclude.ts"
import { createLiveStore } from "../sessions/liveStore.ts"
import { loadSession } from "../sessions/loadSession.ts"
import type { LoadedSession, StoredSession } from "../sessions/sessionStore.ts"
import { type TurnRequest, type TurnToTake, takeTurn } from "../takeTurn.ts"
import { idsAfter, type PauseLength, paused, resumed } from "./pausing.ts"
import { tellListeners } from "./sessionListeners.ts"

/** Changes to a chat. */
type SteerRequest = TurnRequest &
  Steering &
  PauseLength & {
    resultId: string
    sessionId: string
    /** Absent: as it is. */
    state?: "active" | "paused" | "ended" | undefined
    /** Id of the user in charge; null: none; absent: as it is. */
    assigneeId?: string | null | undefined
  }

/** Steers a chat. 404 when it is over, 409 when it has to be resumed first. */
export async function steerChat(chat: Chat, request: SteerRequest): Promise<ChatAnswer<ChatStep>> {
  const { resultId, sessionId, continueAt, state, hasLeft } = request
  if (request.resumeAfter !== undefined && state !== "paused") {
    throw badRequest("`resumeAfter` takes the state `paused`")
  }
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
      const loaded = await loadOpenChat(chat, sessionId, stored)
      before = loaded.session
      return loaded
    },
    begin: (deps, session) => beginTurn(deps, session, request),
    also: (finished) => (before ? changeOf(before, finished, request) : undefined),
    respond,
  }
  const answer = await chat.queue.run(sessionId, () => takeTurn(chat, turn), hasLeft)
  if (!answer.isReplayed) await tellListeners(chat, resultId)
  return answer
}

/** Loads a chat that is open. */
export async function loadOpenChat(
  chat: Chat,
  sessionId: string,
  stored: StoredSession | undefined,
): Promise<LoadedSession> {
  if (!stored) throw await chatGone(chat, sessionId)
  const loaded = await loadSession(chat, stored)
  if (hasEnded(loaded.session)) throw sessionNotFound("CHAT_ENDED")
  return loaded
}

function beginTurn(deps: EngineDeps, session: Session, request: SteerRequest): Turn {
  const { state, variables, continueAt } = request
  if (continueAt && isPaused(session) && state !== "active") throw chatPaused()
  const turn = assigned(steer(deps, session, { variables, continueAt }), request)
  if (state === "ended") {
    return { ...turn, isWaiting: false, session: { ...turn.session, step: session.step + 1 } }
  }
  if (state === "paused") return paused(turn, deps.world.now(), request)
  return state === "active" ? resumed(turn) : turn
}

function assigned(turn: Turn, { assigneeId }: SteerRequest): Turn {
  if (assigneeId === undefined) return turn
  const conversation = { ...turn.session.conversation, assigneeId: assigneeId ?? undefined }
  return { ...turn, session: { ...turn.session, conversation } }
}

/** The events of a change, in order: for the clients that listen to the session, and for webhook endpoints. */
function changeOf(
  before: Session,
  turn: Turn,
  { state, continueAt }: SteerRequest,
): ConversationChange {
  const [was = {}, is = {}] = [before.conversation, turn.session.conversation]
  const nextId = idsAfter(before)
  const notices: Notice[] = []
  const note = (type: string, data: object = {}) => notices.push({ id: nextId(), type, data })
  if (state === "ended") note("conversation.ended")
  else if (was.pausedAt === undefined && is.pausedAt !== undefined) note("conversation.paused")
  else if (was.pausedAt !== undefined && is.pausedAt === undefined) note("conversation.resumed")
  if (continueAt) note("conversation.continued", respond(turn))
  const { assigneeId } = is
  if (assigneeId === was.assigneeId) return { notices }
  const data = assigneeId === undefined ? {} : { assigneeId }
  return { notices, happened: [{ type: "conversation.assigned", data }] }
}
