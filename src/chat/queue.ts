/** Lets the turns of one session run one after the other in this process, in the order they came. */
import { callerLeft, unavailable } from "../shared/errors.ts"

/** Runs `turn` when every earlier one under the same key is done, failed or not. */
export type TurnQueue = {
  /**
   * 503 when too many wait under this key. A turn whose caller has left while it waited is dropped:
   * nobody would know whether it was carried out.
   */
  run<T>(key: string, turn: () => Promise<T>, hasLeft?: () => boolean): Promise<T>
  /** Sessions that have a turn now. */
  size(): number
}

/** Far more than people send, and than a gateway repeats. */
const usualMaxWaiting = 100

/** Opens the queue of a process; `maxWaiting` is the most that may wait under one key. */
export function openTurnQueue(maxWaiting = usualMaxWaiting): TurnQueue {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>()
  return {
    size: () => lines.size,
    async run(key, turn, hasLeft) {
      const line = lines.get(key)
      if (line && line.length > maxWaiting) {
        throw unavailable("Too many requests wait for the same turn", 1)
      }
      const next = () => (hasLeft?.() ? Promise.reject(callerLeft()) : turn())
      const own = line ? line.last.then(next, next) : turn()
      const kept = line ?? { last: own, length: 0 }
      kept.last = own
      kept.length += 1
      lines.set(key, kept)
      try {
        return await own
      } finally {
        kept.length -= 1
        if (kept.length === 0) lines.delete(key)
      }
    },
  }
}
