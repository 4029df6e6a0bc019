/** Lets owners take turns at what only a few may do at a time, however much one of them asks for. */

/** A queue for a number of places. */
export type FairQueue = {
  /**
   * Waits for a place and resolves to the function that gives it back, which may be called twice.
   * Undefined: the queue is full or closed, or the signal or the time limit ended the wait.
   */
  enter(owner: string, signal?: AbortSignal): Promise<(() => void) | undefined>
  /** Does work in a place. Resolves to undefined when there is none, as `enter` does. */
  run<Result>(
    owner: string,
    work: () => Result | Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined>
  /** Turns away everybody who waits, and whoever comes later. */
  close(): void
}

/** Limits of a queue. */
export type QueueLimits = {
  /** One owner gets three quarters of the places at most. */
  places: number
  /** When more wait, the owner with the longest line loses the last place in it. */
  maxWaiting: number
  maxWaitMs: number
}

type Waiting = (leave?: () => void) => void

/** Opens a queue, which is empty. */
export function openFairQueue({ places, maxWaiting, maxWaitMs }: QueueLimits): FairQueue {
  const mostOfOne = Math.max(1, Math.floor(places * 0.75))
  /** Places by owner. */
  const held = new Map<string, number>()
  /** Who waits, by owner; the first owner is the next. */
  const lines = new Map<string, Waiting[]>()
  let taken = 0
  let waiting = 0
  let isClosed = false

  const count = (owner: string, change: 1 | -1) => {
    const now = (held.get(owner) ?? 0) + change
    if (now > 0) held.set(owner, now)
    else held.delete(owner)
    taken += change
  }
  const take = (owner: string) => {
    count(owner, 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const free = () => {
        count(owner, -1)
        admit()
      }
      // Others come before the next one: in the first round they are read, in the second their
      // statements leave for the database.
      setImmediate(() => setImmediate(free))
    }
  }
  const admit = () => {
    for (const [owner, line] of lines) {
      if (taken >= places) return
      if ((held.get(owner) ?? 0) >= mostOfOne) continue
      const next = line[0]
      // Behind the other owners.
      lines.delete(owner)
      lines.set(owner, line)
      next?.(take(owner))
    }
  }
  const remove = (owner: string, one: Waiting) => {
    const line = lines.get(owner)
    const at = line?.indexOf(one) ?? -1
    if (line === undefined || at < 0) return
    line.splice(at, 1)
    waiting -= 1
    if (line.length === 0) lines.delete(owner)
  }
  const shorten = () => {
    const longest = [...lines.values()].reduce((most, line) =>
      line.length > most.length ? line : most,
    )
    longest.at(-1)?.()
  }

  const enter: FairQueue["enter"] = (owner, signal) =>
    new Promise((resolve) => {
      if (isClosed || signal?.aborted) return resolve(undefined)
      const settle: Waiting = (leave) => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", giveUp)
        remove(owner, settle)
        resolve(leave)
      }
      const giveUp = () => settle()
      const timer = setTimeout(giveUp, maxWaitMs)
      signal?.addEventListener("abort", giveUp)
      const line = lines.get(owner)
      if (line) line.push(settle)
      else lines.set(owner, [settle])
      waiting += 1
      admit()
      if (waiting > maxWaiting) shorten()
    })

  return {
    enter,
    async run(owner, work, signal) {
      const leave = await enter(owner, signal)
      try {
        // Whatever work began after the queue was closed, nobody would end.
        return leave && !isClosed ? await work() : undefined
      } finally {
        leave?.()
      }
    },
    close() {
      isClosed = true
      for (const line of [...lines.values()]) for (const settle of [...line]) settle()
    },
  }
}
