/** Chats that wait for their first answer: they live for a short while, and are bounded by a quota. */

import { inboundWaitOf } from "../../engine/session.ts"
import type { EngineDeps, Turn } from "../../engine/turn/run.ts"
import { networkOf } from "../network.ts"
import type { LoadedSession, TurnToStore, Unanswered } from "./sessionStore.ts"

/** How much the unanswered chats of one address with one bot may take together. */
export type UnansweredQuota = {
  /** Takes more; refuses with 429 when it is too much, and takes nothing then. */
  take(key: string, bytes: number): Promise<void>
  giveBack(key: string, bytes: number): Promise<void>
}

/** Bounds nothing. */
export const noQuota: UnansweredQuota = { take: async () => {}, giveBack: async () => {} }

/** Time for the first answer, unless the operator says otherwise. */
export const usualUnansweredMs = 2 * 3_600_000

/** A chat that waits for a call of another system waits as long as any chat may be silent. */
const calledMs = 48 * 3_600_000

/** What a chat takes beside its state: its result, its row. */
const overheadBytes = 1_024

/** What one unanswered chat takes of its quota while a turn runs. */
type QuotaShare = {
  /** 429 when the quota is used up. */
  takeOverhead(): Promise<void>
  /** Takes what is missing to what the chat needs after a turn, or refuses with 429. */
  takeFor(turn: Pick<TurnToStore, "turn" | "state" | "keyed">): Promise<void>
  /** Gives back what is not needed, which is all of it when the turn was not stored. */
  settle(isStored: boolean): Promise<void>
}

/** Opens the share of a chat whose caller has this address. */
export function openShare(
  quota: UnansweredQuota,
  { unanswered, owner }: LoadedSession & { unanswered: Unanswered },
  address = "",
): QuotaShare {
  const before = unanswered.bytes
  let [taken, needed] = [before, before]
  const key = () => `${networkOf(address)} ${owner.botId}`
  const take = async (bytes: number) => {
    needed = bytes
    if (bytes <= taken) return
    await quota.take(key(), bytes - taken)
    taken = bytes
  }
  return {
    takeOverhead: () => take(Math.max(before, overheadBytes)),
    takeFor({ turn, state, keyed }) {
      const isNew = before === 0
      const answer = isNew && keyed ? keyed.body.length : 0
      const isCounted = state !== "" && !hasAnswer(turn)
      return take(isCounted ? sizeOf(state) + answer : 0)
    },
    async settle(isStored) {
      const rest = isStored ? needed : before
      if (taken > rest) await quota.giveBack(key(), taken - rest)
    },
  }
}

/** What is counted of an unanswered chat with this state. */
export function sizeOf(state: string): number {
  return overheadBytes + state.length
}

/** Whether a turn accepted an answer. */
function hasAnswer(turn: Pick<Turn, "results">): boolean {
  return turn.results.some(({ answers }) => answers.length > 0)
}

/** Whether a chat has no answer after a turn either, and is to get one soon. */
export function isStillUnanswered({ unanswered }: LoadedSession, turn: Turn): boolean {
  return unanswered !== undefined && !hasAnswer(turn)
}

/** When the chat ends that has no answer after a turn either, ISO 8601; undefined: it has one. */
export function expiryOf(
  turn: Turn,
  bots: EngineDeps["bots"],
  { until }: Unanswered,
): string | undefined {
  if (hasAnswer(turn)) return undefined
  const isCalled = inboundWaitOf(turn.session, bots) !== undefined
  return (isCalled ? new Date(Date.now() + calledMs) : until).toISOString()
}
