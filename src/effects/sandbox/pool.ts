/** Lends out a few things of a kind, and makes those who come for one wait in a short line. */

/** What a pool lends. */
export type Lendable = { isLost(): boolean; stop(): void }

/** How a pool lends; times in milliseconds. */
export type PoolLimits = {
  /** Things there are at most; they are made when they are needed. */
  size: number
  /** Borrowers that may wait. */
  maxWaiting: number
  maxWaitMs: number
  /** When an unused thing is given up. */
  idleMs: number
}

/** A pool. */
export type Pool<T> = {
  /** Does the work with one of the things; undefined: none came free soon enough, nothing was done. */
  use<R>(owner: string, work: (thing: T) => Promise<R>): Promise<R | undefined>
  /** Stops everything; whoever waits gets nothing. */
  close(): void
}

type Borrower<T> = { owner: string; receive: (thing: T | undefined) => void }

/** Opens a pool. An owner never has all of its things at once, so that nobody can shut others out. */
export function openPool<T extends Lendable>(open: () => T, limits: PoolLimits): Pool<T> {
  const idle = new Map<T, NodeJS.Timeout>()
  const lent = new Map<T, string>()
  const line = new Set<Borrower<T>>()
  let isClosed = false

  const drop = (thing: T) => {
    clearTimeout(idle.get(thing))
    idle.delete(thing)
    thing.stop()
  }
  const take = (): T | undefined => {
    for (const thing of idle.keys()) {
      clearTimeout(idle.get(thing))
      idle.delete(thing)
      if (!thing.isLost()) return thing
    }
    return lent.size < limits.size ? open() : undefined
  }
  const mayHaveMore = (owner: string) => {
    const has = [...lent.values()].filter((other) => other === owner).length
    return has < Math.max(1, limits.size - 1)
  }
  const serve = () => {
    for (const borrower of line) {
      if (lent.size >= limits.size) return
      if (!mayHaveMore(borrower.owner)) continue
      const thing = take()
      if (!thing) return
      lent.set(thing, borrower.owner)
      line.delete(borrower)
      borrower.receive(thing)
    }
  }
  const giveBack = (thing: T) => {
    lent.delete(thing)
    if (isClosed) thing.stop()
    else if (!thing.isLost()) {
      idle.set(thing, setTimeout(() => drop(thing), limits.idleMs).unref())
    }
    serve()
  }
  const borrow = (owner: string) =>
    new Promise<T | undefined>((resolve) => {
      if (isClosed || line.size >= limits.maxWaiting) return resolve(undefined)
      const receive = (thing: T | undefined) => {
        clearTimeout(patience)
        resolve(thing)
      }
      const borrower = { owner, receive }
      const patience = setTimeout(() => {
        line.delete(borrower)
        resolve(undefined)
      }, limits.maxWaitMs)
      line.add(borrower)
      serve()
    })

  return {
    use: async (owner, work) => {
      const thing = await borrow(owner)
      if (!thing) return undefined
      try {
        return await work(thing)
      } finally {
        giveBack(thing)
      }
    },
    close: () => {
      isClosed = true
      for (const { receive } of line) receive(undefined)
      line.clear()
      for (const thing of [...idle.keys()]) drop(thing)
      for (const thing of lent.keys()) thing.stop()
    },
  }
}
