/** Fires a timer that is due: reports the silence, lets the flow react to it, or ends the chat. */
import type { Notice } from "../../db/chats/sessions.ts"
import {
  type DueTimer,
  deleteTimer,
  findDueTimer,
  type ListedTimer,
  postponeTimer,
} from "../../db/chats/timers.ts"
import type { Bot } from "../../engine/bot.ts"
import { currentOf, hasEnded, readSession, type Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { fallSilent, steer } from "../../engine/turn/steer.ts"
import { AppError } from "../../lib/errors.ts"
import type { Chat } from "../chat.ts"
import { type ChatStep, respond } from "../continueChat.ts"
import { lifetimeOf, thresholdsOf } from "../sessions/conclude.ts"
import { createLiveStore } from "../sessions/liveStore.ts"
import { loadSession } from "../sessions/loadSession.ts"
import type { SessionStore, StoredSession } from "../sessions/sessionStore.ts"
import { type TurnToTake, takeTurn } from "../takeTurn.ts"
import { expire } from "./expire.ts"
import { idsAfter, resumed } from "./pausing.ts"
import { tellListeners } from "./sessionListeners.ts"
import { stateOfSession } from "./state.ts"

/** Result of firing a timer. `busy`: it stays due, because a turn of the chat is under way. */
export type Fired = "idle" | "resumed" | "expired" | "postponed" | "gone" | "busy"

/** For the turn that is under way. */
const claimedSeconds = 2
/** For a chat that is paused until it is resumed, which sets its timer. */
const pausedSeconds = 86_400
/** For a chat without an answer, which a purge will delete. */
const unansweredSeconds = 3_600

type Silent = { session: Session; root: Bot; since: number; fired: number; elapsed: number }

/** A silence with the threshold to report. `isMute`: the flow does not react to it. */
type Passed = Silent & { next: number; isMute?: true }

export async function fireTimer(chat: Chat, listed: ListedTimer): Promise<Fired> {
  const due = await findDueTimer(chat.db, listed)
  // A turn has set it again meanwhile.
  if (!due) return "busy"
  const silent = await readSilence(chat, due)
  if (!silent) {
    await deleteTimer(chat.db, due)
    return "gone"
  }
  if (due.isClaimed) return await postpone(chat, due, claimedSeconds)
  const { session, root, fired, elapsed } = silent
  // The person has spoken, and the turn of it comes.
  if (Number(session.conversation?.burst?.until) > due.now.getTime()) {
    return await postpone(chat, due, claimedSeconds)
  }
  const lifetime = lifetimeOf(root, session)
  if (elapsed >= lifetime) return await expireSilent(chat, due)
  // It never got an answer: the purge deletes it.
  if (due.isExpired) return await postpone(chat, due, unansweredSeconds)
  const state = await stateNow(chat, session)
  if (state === "paused") return await endPause(chat, due, session)
  const thresholds = thresholdsOf(root, session)
  // Only a chat that waits for the visitor has fallen silent; others are checked again later.
  const next = state === "active" ? thresholds[fired] : undefined
  if (next !== undefined && elapsed >= next) return await fireIdle(chat, due, { ...silent, next })
  const rest = (next ?? lifetime) - elapsed
  const look = state === "active" ? rest : Math.min(rest, thresholds[fired] ?? rest)
  return await postpone(chat, due, look)
}

/** The silence of a chat; undefined: it is over, or its bot is gone. */
async function readSilence(chat: Chat, due: DueTimer): Promise<Silent | undefined> {
  const { state, updatedAt, versionId, now } = due
  if (state === null || updatedAt === null || versionId === null) return undefined
  const session = readSession(state)
  const root = (await chat.snapshots.load(versionId))?.bot
  if (!root || hasEnded(session)) return undefined
  const { since = updatedAt.getTime(), fired = 0 } = session.conversation?.silence ?? {}
  return { session, root, since, fired, elapsed: (now.getTime() - since) / 1_000 }
}

async function stateNow({ snapshots }: Chat, session: Session) {
  const { version } = currentOf(session)
  const bot = (await snapshots.load(version))?.bot
  return stateOfSession(session, new Map(bot ? [[version, bot]] : []))
}

async function postpone(chat: Chat, due: DueTimer, seconds: number): Promise<Fired> {
  await postponeTimer(chat.db, due, seconds)
  return "postponed"
}

async function expireSilent(chat: Chat, due: DueTimer): Promise<Fired> {
  const { botId, versionId, revision } = due
  if (botId === null || versionId === null || revision === null) return "gone"
  const isOver = await expire(chat, due, { botId, versionId, revision })
  return isOver ? "expired" : "busy"
}

/** Resumes a chat whose pause is over. */
async function endPause(chat: Chat, due: DueTimer, { conversation }: Session): Promise<Fired> {
  const { resumesAt } = conversation ?? {}
  const rest = resumesAt === undefined ? pausedSeconds : (resumesAt - due.now.getTime()) / 1_000
  if (rest > 0) return await postpone(chat, due, rest)
  const turn: TurnToTake<ChatStep> = {
    ...turnOfTimer(chat, due),
    asked: JSON.stringify(["resume", resumesAt]),
    begin: (deps, session) => resumed(steer(deps, session, {})),
    also: ({ session }) => ({
      notices: [{ id: idsAfter(session)(), type: "conversation.resumed", data: {} }],
    }),
  }
  return await take(chat, due, turn, "resumed")
}

/** Takes a turn, unless the chat has moved since the timer was read. */
async function take(
  chat: Chat,
  { resultId, sessionId }: DueTimer,
  turn: TurnToTake<ChatStep>,
  fired: Fired,
): Promise<Fired> {
  try {
    await chat.queue.run(sessionId, () => takeTurn(chat, turn))
  } catch (error) {
    if (error instanceof AppError && ["CONFLICT", "NOT_FOUND"].includes(error.code)) return "busy"
    throw error
  }
  await tellListeners(chat, resultId)
  return fired
}

/** Takes the turn of a threshold, unless the chat has moved since the timer was read. */
async function fireIdle(chat: Chat, due: DueTimer, silent: Passed): Promise<Fired> {
  try {
    return await take(chat, due, turnOf(chat, due, silent), "idle")
  } catch (error) {
    if (silent.isMute || !isOfFlow(error)) throw error
    const { resultId } = due
    chat.log.warn({ err: error, resultId }, "A flow could not answer a silence")
    return await tellWithoutFlow(chat, due, silent)
  }
}

/** Whether the flow itself fails, and would fail again. */
function isOfFlow(error: unknown): boolean {
  return error instanceof AppError && error.code !== "SERVICE_UNAVAILABLE"
}

/** The turn may have called other systems before it failed, and must not repeat the calls at every look. */
async function tellWithoutFlow(chat: Chat, due: DueTimer, silent: Passed): Promise<Fired> {
  // The claim of the turn that failed has changed the revision, and nothing else.
  const again = await findDueTimer(chat.db, due)
  if (!again || again.updatedAt?.getTime() !== due.updatedAt?.getTime()) return "busy"
  return await fireIdle(chat, again, { ...silent, isMute: true })
}

function turnOf(
  chat: Chat,
  due: DueTimer,
  { session, root, since, fired, elapsed, next, isMute }: Passed,
): TurnToTake<ChatStep> {
  const { textFormat = "richText" } = session.conversation ?? {}
  const following = thresholdsOf(root, session)[fired + 1] ?? lifetimeOf(root, session)
  const timer = Math.max(0, following - elapsed)
  return {
    ...turnOfTimer(chat, due),
    request: { textFormat },
    asked: JSON.stringify(["idle", since, fired]),
    begin: (deps, session) => (isMute ? steer(deps, session, {}) : fallSilent(deps, session, next)),
    also: (turn) => ({
      silence: { since, fired: fired + 1, timer },
      notices: noticesOf(turn, next),
    }),
  }
}

/** What the turns of all timers share. */
function turnOfTimer(chat: Chat, due: DueTimer) {
  return {
    request: { textFormat: "richText" as const },
    store: unmoved(createLiveStore(chat, due), due.revision),
    deadline: performance.now() + chat.turnTimeoutMs,
    busy: "This chat has moved",
    async load(stored: StoredSession | undefined) {
      if (!stored) throw new AppError("CHAT_BUSY", "This chat has moved")
      return await loadSession(chat, stored)
    },
    respond,
  }
}

function noticesOf(turn: Turn, afterSeconds: number): Notice[] {
  const data = { afterSeconds, ...respond(turn) }
  return [{ id: idsAfter(turn.session)(), type: "conversation.idle", data }]
}

/** The same store; 409 if a message has arrived since. */
function unmoved(store: SessionStore, revision: number | null): SessionStore {
  return {
    ...store,
    async find(key) {
      const found = await store.find(key)
      const isSame = found.session?.revision === revision && found.claim === "none"
      if (!isSame) throw new AppError("CHAT_BUSY", "This chat has moved")
      return found
    },
  }
}
