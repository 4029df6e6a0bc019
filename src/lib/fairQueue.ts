/** Lets parties take turns at what only a few may do at a time, however much one of them asks for. */

import { mayTake } from "./caps.ts"
import { isCrowd, type Party } from "./party.ts"
import { type QueueName, type QueueShare, queues } from "./shares.ts"

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
  /** Refuses everything that waits, and all later work. */
  close(): void
}

/** Limits of a queue, which `shares.ts` lists. */
export type QueueLimits = { places: number; maxWaiting: number; maxWaitMs: number }

type Waiting = (leave?: () => void) => void

/** Who waits, by part; the first part is the next. */
type Lines = Map<string, Waiting[]>

/** Opens a queue of the list, which is empty. */
export function openFairQueue(name: QueueName, limits: Partial<QueueLimits> = {}): FairQueue {
  const share: QueueShare = queues[name]
  const { places, maxWaiting, maxWaitMs } = { ...share, ...limits }
  /** Places by owner, and of strangers by address, too. */
  const held = new Map<string, number>()
  /** Who waits, by owner; the first owner is the next. */
  const owners = new Map<string, Lines>()
  let taken = 0
  let waiting = 0
  let isClosed = false

  const add = (key: string, change: 1 | -1) => {
    const now = (held.get(key) ?? 0) + change
    if (now > 0) held.set(key, now)
    else held.delete(key)
  }
  const count = ({ owner, part }: Party, change: 1 | -1) => {
    add(owner, change)
    if (isCrowd({ owner })) add(`${owner} ${part}`, change)
    taken += change
  }
  /** How many more places an owner may take now. */
  const leftOf = (owner: string) => {
    const free = places - taken
    const own = held.get(owner) ?? 0
    let left = 0
    while (mayTake({ free: free - left, held: own + left })) left += 1
    return left
  }
  /** The first part of an owner that may take a place: an address does not take all that strangers have. */
  const nextOf = (owner: string, lines: Lines) => {
    const free = leftOf(owner)
    if (free < 1) return undefined
    for (const [part, line] of lines) {
      const own = held.get(`${owner} ${part}`) ?? 0
      if (!isCrowd({ owner }) || mayTake({ free, held: own })) return { part, line }
    }
    return undefined
  }
  const take = (party: Party) => {
    count(party, 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const free = () => {
        count(party, -1)
        admit()
      }
      if (share.isPassedOnAtOnce) return free()
      // Others come before the next one: in the first round they are read, in the second their
      // statements leave for the database.
      setImmediate(() => setImmediate(free))
    }
  }
  const admit = () => {
    for (const [owner, lines] of owners) {
      if (taken >= places) return
      const next = nextOf(owner, lines)
      if (next === undefined) continue
      const { part, line } = next
      // Behind the other owners, and the other parts of this one.
      toEnd(owners, owner, lines)
      toEnd(lines, part, line)
      line[0]?.(take({ owner, part }))
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
        // Work that began after the queue was closed would never be ended.
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
