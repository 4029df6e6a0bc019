/** What chats notice of other work: their p99 alone and beside it, in alternating rounds. */
import { setTimeout as sleep } from "node:timers/promises"
import { type Measured, median } from "./load.ts"
import type { Started } from "./processes.ts"
import { putTalk } from "./talker.ts"

const pauseMs = 200

/** Who chats, how often and how long. */
export type ChatRounds = { parley: Started; users: number; rounds: number; sliceMs: number }

/**
 * The work is begun again whenever it is done, and called off by its signal after each round. Either
 * comes first in turn: whatever else the machine does then meets both alike.
 */
export async function compareChats(
  { parley, users, rounds, sliceMs }: ChatRounds,
  work: (signal: AbortSignal) => Promise<unknown>,
) {
  const talk = () => putTalk(parley, { users, durationMs: sliceMs })
  const talkBeside = async () => {
    const end = new AbortController()
    const working = repeat(work, end.signal)
    const busy = await talk()
    end.abort()
    await working
    return busy
  }
  const alone: Measured[] = []
  const beside: Measured[] = []
  // The first round warms both up.
  await talk()
  await talkBeside()
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) alone.push(await talk())
    beside.push(await talkBeside())
    if (round % 2 === 1) alone.push(await talk())
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
