/** Lets parties take turns at what only a few may do at a time, however much one of them asks for. */
import type { Party } from "./party.ts"
import { mayTake, type QueueName, queues } from "./shares.ts"

/** A queue for a number of places. */
export type FairQueue = {
  /**
   * Waits for a place and resolves to the function that gives it back, which may be called twice.
   * Undefined: the queue is full or closed, or the signal or the time limit ended the wait.
   */
  enter(party: Party, signal?: AbortSignal): Promise<(() => void) | undefined>
  /** Does work in a place. Resolves to undefined when there is none, as `enter` does. */
  run<Result>(
    party: Party,
    work: () => Result | Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined>
  /** Turns away everybody who waits, and whoever comes later. */
  close(): void
}

/** Limits of a queue, which `shares.ts` lists. */
export type QueueLimits = { places: number; maxWaiting: number; maxWaitMs: number }

type Waiting = (leave?: () => void) => void

/** Who waits, by part; the first part is the next. */
type Lines = Map<string, Waiting[]>

/** Opens a queue of the list, which is empty. */
export function openFairQueue(name: QueueName, limits: Partial<QueueLimits> = {}): FairQueue {
  const { places, maxWaiting, maxWaitMs } = { ...queues[name], ...limits }
  /** Places by owner. */
  const held = new Map<string, number>()
  /** Who waits, by owner; the first owner is the next. */
  const owners = new Map<string, Lines>()
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
    for (const [owner, lines] of owners) {
      const free = places - taken
      if (free < 1) return
      if (!mayTake({ free, held: held.get(owner) ?? 0 })) continue
      const [first] = lines
      if (first === undefined) continue
      const [part, line] = first
      // Behind the other owners, and the other parts of this one.
      toEnd(owners, owner, lines)
      toEnd(lines, part, line)
      line[0]?.(take(owner))
    }
  }
  const remove = ({ owner, part }: Party, one: Waiting) => {
    const lines = owners.get(owner)
    const line = lines?.get(part)
    const at = line?.indexOf(one) ?? -1
    if (lines === undefined || line === undefined || at < 0) return
    line.splice(at, 1)
    waiting -= 1
    if (line.length === 0) lines.delete(part)
    if (lines.size === 0) owners.delete(owner)
  }
  const shorten = () => {
    const lines = longest([...owners.values()], waitingIn)
    const line = longest([...(lines?.values() ?? [])], ({ length }) => length)
    line?.at(-1)?.()
  }

  const enter: FairQueue["enter"] = (party, signal) =>
    new Promise((resolve) => {
      if (isClosed || signal?.aborted) return resolve(undefined)
      const settle: Waiting = (leave) => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", giveUp)
        remove(party, settle)
        resolve(leave)
      }
      const giveUp = () => settle()
      const timer = setTimeout(giveUp, maxWaitMs)
      signal?.addEventListener("abort", giveUp)
      const lines: Lines = owners.get(party.owner) ?? new Map()
      owners.set(party.owner, lines)
      const line = lines.get(party.part)
      if (line) line.push(settle)
      else lines.set(party.part, [settle])
      waiting += 1
      admit()
      if (waiting > maxWaiting) shorten()
    })

  return {
    enter,
    async run(party, work, signal) {
      const leave = await enter(party, signal)
      try {
        // Whatever work began after the queue was closed, nobody would end.
        return leave && !isClosed ? await work() : undefined
      } finally {
        leave?.()
      }
    },
    close() {
      isClosed = true
      const lines = [...owners.values()].flatMap((each) => [...each.values()])
      for (const line of lines) for (const settle of [...line]) settle()
    },
  }
}

function toEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
}

function waitingIn(lines: Lines): number {
  return [...lines.values()].reduce((sum, { length }) => sum + length, 0)
}

function longest<Each>(all: readonly Each[], lengthOf: (each: Each) => number): Each | undefined {
  return all.reduce<Each | undefined>(
    (most, each) => (most !== undefined && lengthOf(most) >= lengthOf(each) ? most : each),
    undefined,
  )
}
