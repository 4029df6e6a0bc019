/** Turns of one session run one after the other in this process. */
import { callerLeft, unavailable } from "../lib/errors.ts"

export type TurnQueue = ReturnType<typeof openTurnQueue>

/** Far more than people send, and than a gateway repeats. */
const usualMaxWaiting = 100

/** Opens the queue of a process; `maxWaiting` is the most that may wait under one key. */
export function openTurnQueue(maxWaiting = usualMaxWaiting) {
  const queues = new Map<string, { last?: Promise<unknown> | undefined; length: number }>()
  return {
    /** Sessions that have a turn now. */
    size: () => queues.size,
    /**
     * Runs `turn` when every earlier one under the same key is done, failed or not. 503 when too many wait
     * under this key. A turn whose caller has left while it waited is dropped, because its answer could not be
     * delivered.
     */
    async run<T>(key: string, turn: () => Promise<T>, hasLeft?: () => boolean): Promise<T> {
      const queue = queues.get(key) ?? { length: 0 }
      if (queue.length > maxWaiting) {
        throw unavailable("Too many requests wait for the same turn", 1)
      }
      const next = () => (hasLeft?.() ? Promise.reject(callerLeft()) : turn())
      const result = queue.last ? queue.last.then(next, next) : turn()
      queue.last = result
      queue.length += 1
      queues.set(key, queue)
      try {
        return await result
      } finally {
        queue.length -= 1
        if (queue.length === 0) {
          queues.delete(key)
          // V8 keeps removed entries of a map until its next full collection (nextTable chains).
          queue.last = undefined
        }
      }
    },
  }
}
