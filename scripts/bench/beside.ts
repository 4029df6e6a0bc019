/** What chats notice of other work: their p99 alone and beside it, in alternating rounds. */
import { setTimeout as sleep } from "node:timers/promises"
import { type Measured, median } from "./load.ts"
import type { Started } from "./processes.ts"
import { putTalk } from "./talker.ts"

const pauseMs = 200

/** Who chats, how often and how long. */
export type ChatRounds = { parley: Started; users: number; rounds: number; sliceMs: number }

/** The work is begun again whenever it is done, and called off by its signal after each round. */
export async function compareChats(
  { parley, users, rounds, sliceMs }: ChatRounds,
  work: (signal: AbortSignal) => Promise<unknown>,
) {
  const alone: Measured[] = []
  const beside: Measured[] = []
  for (let round = 0; round <= rounds; round++) {
    const quiet = await putTalk(parley, { users, durationMs: sliceMs })
    const end = new AbortController()
    const working = repeat(work, end.signal)
    const busy = await putTalk(parley, { users, durationMs: sliceMs })
    end.abort()
    await working
    // The first round warms both up.
    if (round === 0) continue
    alone.push(quiet)
    beside.push(busy)
  }
  const p99 = (all: readonly Measured[]) => Number(median(all.map(({ p99Ms }) => p99Ms)).toFixed(1))
  const ratios = beside.map(({ p99Ms }, index) => p99Ms / (alone[index]?.p99Ms ?? 0))
  return {
    "p99 alone, ms": p99(alone),
    "p99 beside, ms": p99(beside),
    ratio: Number(median(ratios).toFixed(2)),
  }
}

async function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await Promise.all([work(signal), sleep(pauseMs)])
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
