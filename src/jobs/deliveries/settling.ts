/** Stores the outcomes of attempts in batches: those that end while one is being stored form the next. */
import type { Db } from "../../db/connection/openDatabase.ts"
import { type Attempt, saveAttempts } from "../../db/events/deliveries.ts"
import { noteSuccesses } from "../../db/events/endpoints.ts"

/** Stores an attempt; resolves once it is stored. */
export type Settle = (attempt: Attempt) => Promise<void>

/**
 * Creates the writer of a process. With a thousand receivers, statements and commits for each of them
 * would take longer than the deliveries.
 */
export function createSettling(db: Db): Settle {
  let waiting: Attempt[] = []
  let last = Promise.resolve()
  let next: Promise<void> | undefined
  const write = async () => {
    const attempts = waiting
    waiting = []
    next = undefined
    await saveAttempts(db, attempts)
    const delivered = attempts.filter(({ state }) => state === "delivered")
    await noteSuccesses(db, [...new Set(delivered.map(({ endpointId }) => endpointId))])
  }
  return (attempt) => {
    waiting.push(attempt)
    if (next === undefined) {
      next = last.then(write, write)
      last = next
    }
    return next
  }
}
