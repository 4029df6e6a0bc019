/** Who waits for whom in one process: turns for those of their session, long computations for all. */
import { callerLeft, unavailable } from "../errors.ts"
import { openLines } from "./lines.ts"

/** Runs `turn` when every earlier one under the same key is done, failed or not. */
export type TurnQueue = {
  /**
   * 503 when too many wait under this key. A turn whose caller has left while it waited is dropped,
   * because its answer could not be delivered.
   */
  run<T>(key: string, turn: () => Promise<T>, hasLeft?: () => boolean): Promise<T>
  /** Sessions that have a turn now. */
  size(): number
}

/** Far more than people send, and than a gateway repeats. */
const usualMaxWaiting = 100

/** Opens the queue of a process; `maxWaiting` is the most that may wait under one key. */
export function openTurnQueue(maxWaiting = usualMaxWaiting): TurnQueue {
  const queues = new Map<string, { last?: Promise<unknown>; length: number }>()
  return {
    size: () => queues.size,
    async run(key, turn, hasLeft) {
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
        if (queue.length === 0) queues.delete(key)
      }
    },
  }
}

/**
 * Keeps flows that compute for long from taking the event loop one after the other: their owners get
 * it in turns, and leave it to everybody else for as long as they had it. Others never wait.
 */
export type EngineQueue = {
  /** Resolves when the engine may run for an owner; undefined: at once. 503 when too many wait. */
  wait(owner: string): Promise<void> | undefined
  /** Counts what a run took. */
  took(owner: string, ms: number): void
}

/** Ordinary runs take a hundredth of this. */
const longMs = 10
/** An owner without a long run for this time is one like any other. */
const rememberedMs = 10_000
const maxWaiting = 100

/** The clock and timer of tests. */
export type EngineClock = { now(): number; after(ms: number, act: () => void): void }

const realClock: EngineClock = {
  now: () => performance.now(),
  after: (ms, act) => void setTimeout(act, ms),
}

/** Opens the queue of a process. */
export function openEngineQueue(clock = realClock): EngineQueue {
  /** When owners of long runs had their last one. */
  const longRuns = new Map<string, number>()
  const lines = openLines()
  let restsUntil = 0
  let isServing = false

  const serve = () => {
    const restMs = restsUntil - clock.now()
    if (restMs > 0) return clock.after(restMs, serve)
    const go = lines.next()
    isServing = go !== undefined
    if (!go) return
    go()
    // Once it has run, so that its own rest counts.
    clock.after(0, serve)
  }
  const isKnown = (owner: string) => {
    const since = longRuns.get(owner)
    if (since === undefined) return false
    if (clock.now() - since < rememberedMs) return true
    longRuns.delete(owner)
    return false
  }
  return {
    wait(owner) {
      if (longRuns.size === 0 || !isKnown(owner)) return undefined
      if (!isServing && clock.now() >= restsUntil) return undefined
      if (lines.length(owner) >= maxWaiting) {
        throw unavailable("Too many long turns are waiting", 1)
      }
      return new Promise((resolve) => {
        lines.add(owner, resolve)
        if (isServing) return
        isServing = true
        serve()
      })
    },
    took(owner, ms) {
      if (ms < longMs) return
      const now = clock.now()
      // The oldest first, so that owners who never come back are forgotten.
      for (const [known, since] of longRuns) {
        if (now - since < rememberedMs) break
        longRuns.delete(known)
      }
      longRuns.delete(owner)
      longRuns.set(owner, now)
      restsUntil = Math.max(restsUntil, now + ms)
    },
  }
}
