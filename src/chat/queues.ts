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
  const queues = new Map<string, { last?: Promise<unknown> | undefined; length: number }>()
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
        if (queue.length === 0) {
          queues.delete(key)
          // V8 keeps what a map has let go of until its next full collection (nextTable chains).
          queue.last = undefined
        }
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
  const longRuns = openLongRuns(clock)
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
  return {
    wait(owner) {
      if (!longRuns.has(owner)) return undefined
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
      longRuns.add(owner)
      restsUntil = Math.max(restsUntil, clock.now() + ms)
    },
  }
}

/** The owners who had a long run lately. */
function openLongRuns({ now }: Pick<EngineClock, "now">) {
  /** When they had their last one, the oldest first. */
  const times = new Map<string, number>()
  const isOver = (since: number) => now() - since >= rememberedMs
  return {
    has(owner: string): boolean {
      const since = times.get(owner)
      return since !== undefined && !isOver(since)
    },
    add(owner: string): void {
      // Owners who never come back are forgotten, too.
      for (const [known, since] of times) {
        if (!isOver(since)) break
        times.delete(known)
      }
      times.delete(owner)
      times.set(owner, now())
    },
  }
}
