/** Steps of work on what may be large, between which others get on. */
import { setTimeout as sleep } from "node:timers/promises"

/** A step that took longer is followed by a pause; work on ordinary bots takes less. */
const longMs = 10
/** A turn of a chat needs the event loop four times, and the database in between. */
const pauseMs = 20

/**
 * Does a step, and pauses when it took long: each holds the event loop for up to 50 ms for 4 MB, and a
 * chat that met one after the other would wait for their sum.
 */
export async function stepOfWork<Result>(work: () => Result): Promise<Result> {
  const startedAt = performance.now()
  const result = work()
  if (performance.now() - startedAt > longMs) await sleep(pauseMs)
  return result
}
