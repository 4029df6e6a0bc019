/**
 * Concludes a turn for its conversation: when the chat expires, when to check for silence, and to which
 * questions a preview can go back.
 */
import type { ConversationRows } from "../../db/chats/sessions.ts"
import type { Bot } from "../../engine/bot.ts"
import type { TextFormat } from "../../engine/payload.ts"
import { type Conversation, isPaused, type Session } from "../../engine/session.ts"
import { keyedExpiryOf } from "../../engine/silence.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { AppError } from "../../lib/errors.ts"
import type { ConversationEvent } from "../events/eventSchemas.ts"
import type { LoadedSession, TurnToStore } from "./sessionStore.ts"
import { hasAnswer } from "./unanswered.ts"

/** Changes to a conversation beside the turn. */
export type ConversationChange = Omit<ConversationRows, "timer" | "ended"> & {
  /** Events for webhook endpoints alone. */
  happened?: readonly ConversationEvent[]
  /** The silence that caused the turn, and the seconds until the next threshold. */
  silence?: { since: number; fired: number; timer: number }
}

/** What to store: the session, and rows besides those of the turn. */
type Concluded = Pick<TurnToStore, "expiresAt" | "conversation"> & { session: Session }

/** How long a chat is kept when its author set no time. */
const usualSeconds = 48 * 3_600

/** A member who has taken over may need days. */
const pausedSeconds = 30 * 86_400

/** The silence after which a chat ends, in seconds. */
export function lifetimeOf(root: Bot, session: Pick<Session, "conversation">): number {
  if (isPaused(session)) return pausedSeconds
  const own = root.silence?.expiresAfter
  if (own !== undefined) return own
  if (session.conversation?.key === undefined) return usualSeconds
  return keyedExpiryOf(root.flow.settings) ?? usualSeconds
}

/** The thresholds of silence before the chat expires, in seconds. */
export function thresholdsOf(root: Bot, session: Session): readonly number[] {
  const lifetime = lifetimeOf(root, session)
  return (root.silence?.idle ?? []).filter((seconds) => seconds < lifetime)
}

/** Rows to store beside a turn; undefined: none, as for most chats. */
export function conclude(
  loaded: LoadedSession,
  turn: Turn,
  { textFormat, change }: { textFormat?: TextFormat; change?: ConversationChange | undefined } = {},
): Concluded | undefined {
  const { root, session: before } = loaded
  if (before.isPreview) return withAsked(loaded, turn)
  const known = turn.session.conversation
  const isSteered = known !== undefined || before.conversation !== undefined
  const isPlain = root.silence === undefined && !isSteered && change === undefined
  if (isPlain) return undefined
  const { silence, happened: _, ...rows } = change ?? {}
  // A chat that was only registered has not begun.
  if (isOver(turn) && turn.session.step > 0)
    return { session: turn.session, conversation: { ...rows, ended: "ended" } }
  const conversation: Conversation = {
    ...known,
    ...countKept(known, rows),
    silence: silence && { since: silence.since, fired: silence.fired },
    ...(textFormat && { textFormat: textFormat === "markdown" ? textFormat : undefined }),
  }
  const session = { ...turn.session, conversation }
  const timer = silence ? silence.timer : timerOf(loaded, session)
  const timed = { ...rows, ...(timer !== undefined && { timer }) }
  const concluded = Object.keys(timed).length > 0 ? { conversation: timed } : {}
  if (!isPaused(session) && loaded.unanswered && !hasAnswer(turn)) return { session, ...concluded }
  conversation.isLasting = true
  const from = silence?.since ?? Date.now() + (loaded.aheadMs ?? 0)
  const expiresAt = new Date(from + lifetimeOf(root, session) * 1_000).toISOString()
  return { session, expiresAt, ...concluded }
}

/** Max characters of the messages that a chat keeps while it is paused, and the least that one counts. */
const maxKeptLength = 4_000_000
const minKeptLength = 200

/** Counts what is kept beside the flow. Throws a 413 when it is too much. */
function countKept(known: Conversation | undefined, { notices = [], kept = [] }: ConversationRows) {
  const isPaused = known?.pausedAt !== undefined
  const spoken = isPaused ? kept : []
  const ids = [...notices, ...spoken].map(({ id }) => id)
  if (ids.length === 0) return {}
  const lengths = spoken.map(({ message }) =>
    Math.max(minKeptLength, JSON.stringify(message).length),
  )
  const keptLength = lengths.reduce((sum, length) => sum + length, known?.keptLength ?? 0)
  if (keptLength > maxKeptLength) {
    throw new AppError(
      "CHAT_TOO_LARGE",
      `People may write ${maxKeptLength} characters in a chat while it is paused`,
      { data: { limit: maxKeptLength, unit: "characters" } },
    )
  }
  return { lastId: ids.toSorted().at(-1), ...(keptLength > 0 && { keptLength }) }
}

/** Previews of members keep their questions, to ask them again after going back. */
function withAsked({ owner }: LoadedSession, turn: Turn): Concluded | undefined {
  if (owner.previewerId === undefined || !hasMoved(turn)) return undefined
  const { input, dynamicTheme, progress } = turn
  return { session: { ...turn.session, asked: { input, dynamicTheme, progress } } }
}

/** Whether a turn answers the question before it, so that going back makes sense. */
export function isAnswering({ session }: LoadedSession, turn: Turn): boolean {
  return session.asked?.input !== undefined && hasMoved(turn)
}

/** Whether a chat has left the question at which it waited; a rejected reply leaves it there. */
function hasMoved(turn: Turn): boolean {
  return turn.hasWalked || isOver(turn)
}

/**
 * Seconds until the next check for silence, or until a paused chat resumes; undefined: the timer stays. It is
 * never too late, because the check itself notices later messages.
 */
function timerOf({ root, session: before }: LoadedSession, session: Session): number | undefined {
  const { resumesAt } = session.conversation ?? {}
  if (isPaused(session) && resumesAt !== before.conversation?.resumesAt && resumesAt !== undefined)
    return Math.max(0, (resumesAt - Date.now()) / 1_000)
  const isTimed = root.silence !== undefined || session.conversation?.key !== undefined
  if (!isTimed || isPaused(session)) return undefined
  const isFirst = before.at === undefined
  const isBroken = before.conversation?.silence !== undefined || isPaused(before)
  if (!isFirst && !isBroken) return undefined
  return thresholdsOf(root, session)[0] ?? lifetimeOf(root, session)
}
