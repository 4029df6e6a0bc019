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

/** A pool. An owner never has all of its things at once, so that nobody can shut others out. */
export type Pool<T> = {
  /** Does the work with one of the things; undefined: none came free soon enough, nothing was done. */
  use<R>(owner: string, work: (thing: T) => Promise<R>): Promise<R | undefined>
  /** Stops everything; whoever waits gets nothing. */
  close(): void
}

type Borrower<T> = { owner: string; receive: (thing: T | undefined) => void }

type State<T> = PoolLimits & {
  open: () => T
  idle: Map<T, NodeJS.Timeout>
  /** Who has what. */
  lent: Map<T, string>
  line: Set<Borrower<T>>
  isClosed: boolean
}

/** Opens a pool. */
export function openPool<T extends Lendable>(open: () => T, limits: PoolLimits): Pool<T> {
  const pool: State<T> = {
    ...limits,
    open,
    idle: new Map(),
    lent: new Map(),
    line: new Set(),
    isClosed: false,
  }
  return {
    async use(owner, work) {
      const thing = await borrow(pool, owner)
      if (!thing) return undefined
      try {
        return await work(thing)
      } finally {
        giveBack(pool, thing)
      }
    },
    close() {
      pool.isClosed = true
      for (const { receive } of pool.line) receive(undefined)
      pool.line.clear()
      for (const thing of [...pool.idle.keys()]) drop(pool, thing)
      for (const thing of pool.lent.keys()) thing.stop()
    },
  }
}

function borrow<T extends Lendable>(pool: State<T>, owner: string): Promise<T | undefined> {
  return new Promise((resolve) => {
    if (pool.isClosed || pool.line.size >= pool.maxWaiting) return resolve(undefined)
    const receive = (thing: T | undefined) => {
      clearTimeout(patience)
      resolve(thing)
    }
    const borrower = { owner, receive }
    const patience = setTimeout(() => {
      pool.line.delete(borrower)
      resolve(undefined)
    }, pool.maxWaitMs)
    pool.line.add(borrower)
    serve(pool)
  })
}

function serve<T extends Lendable>(pool: State<T>): void {
  for (const borrower of pool.line) {
    if (pool.lent.size >= pool.size) return
    if (!mayHaveMore(pool, borrower.owner)) continue
    const thing = takeIdle(pool) ?? pool.open()
    pool.lent.set(thing, borrower.owner)
    pool.line.delete(borrower)
    borrower.receive(thing)
  }
}

function mayHaveMore<T>({ lent, size }: State<T>, owner: string): boolean {
  const has = [...lent.values()].filter((other) => other === owner).length
  return has < Math.max(1, size - 1)
}

function takeIdle<T extends Lendable>({ idle }: State<T>): T | undefined {
  for (const [thing, timer] of idle) {
    clearTimeout(timer)
    idle.delete(thing)
    if (!thing.isLost()) return thing
  }
  return undefined
}

function giveBack<T extends Lendable>(pool: State<T>, thing: T): void {
  pool.lent.delete(thing)
  if (pool.isClosed) thing.stop()
  else if (!thing.isLost()) {
    const timer = setTimeout(() => drop(pool, thing), pool.idleMs).unref()
    pool.idle.set(thing, timer)
  }
  serve(pool)
}

function drop<T extends Lendable>({ idle }: State<T>, thing: T): void {
  clearTimeout(idle.get(thing))
  idle.delete(thing)
  thing.stop()
}
