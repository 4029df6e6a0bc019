/** Steps of work on what may be large, between which others get on. */
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

/** In shares of what a piece took: most of the time belongs to chats. */
const restShare = 5

/**
 * Rests after a piece of work on very many rows, which took so many milliseconds. Returns for how many
 * it rested.
 */
export function restAfter(tookMs: number): Promise<number> {
  const restMs = restShare * tookMs
  return sleep(restMs, restMs)
}
