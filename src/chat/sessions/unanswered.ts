/** Limits what chats of strangers without an answer store, and lets them expire early. */
import { inboundWaitOf } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { networkOf } from "../../lib/party.ts"
import type { LoadedSession, Unanswered } from "./sessionStore.ts"

/** The rate limit that counts kilobytes under a key; 429 when there were too many lately. */
export type CountKilobytes = (key: string, kilobytes: number) => Promise<void>

/** A chat that waits for a call of another system may wait as long as any chat may be silent. */
const calledMs = 48 * 3_600_000

/** Storage of a chat beside its state: its result, its row. */
const overheadBytes = 1_024

/**
 * Counts what is about to be stored of a chat without an answer, by the bot and the network of its
 * caller; 429 when that was too much lately. Without an address nothing is counted.
 */
export async function countUnanswered(
  { countUnanswered: count }: { countUnanswered?: CountKilobytes | undefined },
  { owner }: LoadedSession,
  { address, bytes }: { address: string | undefined; bytes: number },
): Promise<void> {
  if (!count || address === undefined) return
  const kilobytes = Math.ceil((overheadBytes + bytes) / 1_024)
  await count(`${networkOf(address)} ${owner.botId}`, kilobytes)
}

/** When a chat ends unless it gets an answer, ISO 8601; undefined: this turn has brought one. */
export function expiryOf(
  turn: Turn,
  { bots, aheadMs = 0 }: Pick<LoadedSession, "bots" | "aheadMs">,
  { until }: Unanswered,
): string | undefined {
  if (hasAnswer(turn)) return undefined
  const isCalled = inboundWaitOf(turn.session, bots) !== undefined
  return (isCalled ? new Date(Date.now() + aheadMs + calledMs) : until).toISOString()
}

/** Whether a turn accepted an answer. */
export function hasAnswer({ results }: Pick<Turn, "results">): boolean {
  return results.some(({ answers }) => answers.length > 0)
}
