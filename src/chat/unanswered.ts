/** Chats that wait for their first answer: they live for a short while, and their states are counted. */
import type { EngineDeps, Turn } from "../engine/run.ts"
import { currentOf, writeSession } from "../engine/session.ts"
import { isOver } from "../engine/walk/settle.ts"
import { networkOf } from "../shared/network.ts"
import { waitingOf } from "./webhooks/waiting.ts"

/** How much the unanswered chats of one address with one bot may hold together. */
export type UnansweredTally = {
  /** Counts more; refuses with 429 when it is too much, and counts nothing then. */
  hold(key: string, bytes: number): Promise<void>
  /** Counts less. */
  release(key: string, bytes: number): Promise<void>
}

/** Counts nothing. */
export const noTally: UnansweredTally = { hold: async () => {}, release: async () => {} }

/** Time for the first answer, unless told. */
export const usualUnansweredMs = 2 * 3_600_000

/** A chat that waits for a call of another system waits as long as any chat may be silent. */
const calledMs = 48 * 3_600_000

/** What a chat takes beside its state: its result, its row. */
export const unansweredOverheadBytes = 1_024

/** What one chat has counted, as far as this request counted it. */
export type Holding = {
  hold(bytes: number): Promise<void>
  /** Gives back all that `hold` counted. */
  giveBack(): Promise<void>
}

/** Begins to count for a chat of an address with a bot; without an address nothing is counted. */
export function openHolding(
  tally: UnansweredTally,
  { address, botId }: { address?: string | undefined; botId: string },
): Holding {
  const { hold, release } = address === undefined ? noTally : tally
  const key = tallyKeyOf(address ?? "", botId)
  let held = 0
  return {
    async hold(bytes) {
      await hold(key, bytes)
      held += bytes
    },
    async giveBack() {
      await release(key, held)
      held = 0
    },
  }
}

function tallyKeyOf(address: string, botId: string): string {
  return `${networkOf(address)} ${botId}`
}

/**
 * Stores a turn of a chat that waited for its first answer: counted is what its state grows by, and
 * nothing any more once there is an answer or the chat is over.
 */
export async function saveCounted(
  tally: UnansweredTally,
  stored: { before: string; turn: Turn; from: { address: string; botId: string } },
  save: () => Promise<boolean>,
): Promise<boolean> {
  const { before, turn, from } = stored
  const isGone = hasAnswer(turn) || isOver(turn)
  const counted = before.length + unansweredOverheadBytes
  const growth = isGone ? -counted : writeSession(turn.session).length - before.length
  const holding = openHolding(tally, from)
  await holding.hold(Math.max(0, growth))
  let isSaved = false
  try {
    isSaved = await save()
  } finally {
    if (!isSaved) await holding.giveBack()
  }
  if (isSaved && growth < 0) await tally.release(tallyKeyOf(from.address, from.botId), -growth)
  return isSaved
}

/** Whether a turn accepted an answer. */
export function hasAnswer(turn: Pick<Turn, "results">): boolean {
  return turn.results.some(({ answers }) => answers.length > 0)
}

/** When a chat ends that has no answer after a turn either, ISO 8601. */
export function expiryOf(turn: Turn, bots: EngineDeps["bots"], until: Date): string {
  const { session } = turn
  const bot = bots.get(currentOf(session).version)
  const isCalled = bot !== undefined && waitingOf(session, bot) !== undefined
  const called = new Date(Date.now() + calledMs)
  return (isCalled ? called : until).toISOString()
}
