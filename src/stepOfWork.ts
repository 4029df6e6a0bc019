/** Steps of work on what may be large, between which others get on. */
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"

/** A step that took longer is followed by a pause; work on ordinary bots takes less. */
const longMs = 5
/** About what a turn of a chat takes beside the import of 4 MB. */
const pauseMs = 50

/**
 * Does a step, and pauses when it took long: each holds the event loop for up to 50 ms for 4 MB. A turn
 * needs the event loop several times, and would otherwise wait for one step after the other.
 */
export function stepOfWork<Result>(work: () => Result): Result | Promise<Result> {
  const startedAt = performance.now()
  const result = work()
  return performance.now() - startedAt > longMs ? sleep(pauseMs, result) : result
}

/** Rests in shares of what a piece took: where chats are served, most of the time is theirs. */
const restShares = { idle: 1, busy: 5 }

/** From this utilization of the event loop during rests on, it is busy. */
const busyFrom = 0.3

/** What the latest rest adds to it: one alone may fall into a pause of chats, or be short. */
const weightOfLatest = 0.3

/** Until something was measured, chats come first. */
let utilization = 1

/**
 * Rests after a piece of work on very many rows, which took so many milliseconds. Work that hurries
 * less than most has more patience: its rests are so many times as long. Returns for how many
 * milliseconds it rested.
 */
export async function restAfter(tookMs: number, { patience = 1 } = {}): Promise<number> {
  const share = utilization < busyFrom ? restShares.idle : restShares.busy * patience
  const before = performance.eventLoopUtilization()
  const restMs = await sleep(share * tookMs, share * tookMs)
  const latest = performance.eventLoopUtilization(before).utilization
  utilization += weightOfLatest * (latest - utilization)
  return restMs
}
