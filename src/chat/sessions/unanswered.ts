/** Chats that wait for their first answer: they live for a short while, and share a bounded room. */
import type { EngineDeps, Turn } from "../../engine/run.ts"
import { inboundWaitOf } from "../../engine/session.ts"
import { networkOf } from "../../shared/network.ts"

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
export const unansweredOverheadBytes = 1_024

/** An unanswered chat as it is counted. */
export type UnansweredChat = {
  address: string
  botId: string
  /** What it has taken so far; 0: it begins. */
  bytes: number
}

/** What one chat takes of its quota while a turn runs. */
export type QuotaShare = {
  /** Takes what is missing to so many bytes, or refuses with 429. */
  growTo(bytes: number): Promise<void>
  /** Gives back what is more than so many bytes. */
  shrinkTo(bytes: number): Promise<void>
}

const noShare: QuotaShare = { growTo: async () => {}, shrinkTo: async () => {} }

/** Opens the share of a chat; undefined: it is not counted. */
export function openShare(quota: UnansweredQuota, chat: UnansweredChat | undefined): QuotaShare {
  if (!chat) return noShare
  const key = `${networkOf(chat.address)} ${chat.botId}`
  let taken = chat.bytes
  return {
    async growTo(bytes) {
      if (bytes <= taken) return
      await quota.take(key, bytes - taken)
      taken = bytes
    },
    async shrinkTo(bytes) {
      if (bytes >= taken) return
      await quota.giveBack(key, taken - bytes)
      taken = bytes
    },
  }
}

/** What a chat takes after a turn: nothing once it has an answer, is over, or is not counted. */
export function sizeOf(
  chat: UnansweredChat | undefined,
  { turn, state, keyed }: { turn: Turn; state: string; keyed?: { body: string } | undefined },
): number {
  if (!chat || state === "" || hasAnswer(turn)) return 0
  const isNew = chat.bytes === 0
  return unansweredOverheadBytes + state.length + (isNew && keyed ? keyed.body.length : 0)
}

/** Whether a turn accepted an answer. */
export function hasAnswer(turn: Pick<Turn, "results">): boolean {
  return turn.results.some(({ answers }) => answers.length > 0)
}

/** When a chat ends that has no answer after a turn either, ISO 8601. */
export function expiryOf(turn: Turn, bots: EngineDeps["bots"], until: Date): string {
  const isCalled = inboundWaitOf(turn.session, bots) !== undefined
  return (isCalled ? new Date(Date.now() + calledMs) : until).toISOString()
}
