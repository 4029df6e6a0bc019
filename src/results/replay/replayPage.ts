/** Replays the conversations of one page within the time and the work that a request may take. */
import { createEffort, type Effort } from "./replaySide.ts"

/** Units of fuel for a conversation, ten turns of the costliest kind, and for all of a page together. */
const maxUnits = { chat: 5_000_000, page: 20_000_000 }
const maxPageMs = 8_000

/**
 * Replays one conversation after another, and at least one. `next` is the first that was left for
 * another page, once the time or the work of this one is used up.
 */
export async function replayPage<Chat extends { resultId: string }, Report>(
  chats: readonly Chat[],
  replay: (chat: Chat, effort: Effort) => Promise<Report>,
): Promise<{ reports: Report[]; next?: string }> {
  const deadline = performance.now() + maxPageMs
  const reports: Report[] = []
  let unitsLeft = maxUnits.page
  for (const chat of chats) {
    const isSpent = unitsLeft <= 0 || performance.now() > deadline
    if (reports.length > 0 && isSpent) return { reports, next: chat.resultId }
    const effort = createEffort(maxUnits.chat)
    reports.push(await replay(chat, effort))
    unitsLeft -= maxUnits.chat - effort.left
  }
  return { reports }
}
