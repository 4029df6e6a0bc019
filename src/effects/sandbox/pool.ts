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
  /** Unused things that are kept for `warmMs`; any more are given up after `idleMs`. */
  warm: number
  warmMs: number
  idleMs: number
}

/** Who wants a thing, and until when. */
export type Wish = { owner: string; signal?: AbortSignal | undefined }

/**
 * A pool; each thing serves one borrower at a time. Nobody can shut others out: an owner gets three
 * quarters of the things at most, whoever has the fewest is served first, then whoever was served
 * the longest ago, and when the line is full the owner who fills it loses the last place in it.
 */
export type Pool<T> = {
  /** Does the work with one of the things; undefined: none came free soon enough. */
  use<R>(wish: Wish, work: (thing: T) => Promise<R>): Promise<R | undefined>
  /** Stops everything; whoever waits gets nothing. */
  close(): void
}

type Borrower<T> = { owner: string; receive: (thing: T | undefined) => void }

type State<T> = PoolLimits & {
  open: () => T
  /** Who has which. */
  lent: Map<T, string>
  /** Those that nobody has, the latest at the end. */
  idle: Map<T, NodeJS.Timeout>
  line: Set<Borrower<T>>
  /** When owners were served last, counted in servings; only of those who are still here. */
  served: Map<string, number>
  servings: number
  isClosed: boolean
}

/** Opens a pool. */
export function openPool<T extends Lendable>(open: () => T, limits: PoolLimits): Pool<T> {
  const pool: State<T> = {
    ...limits,
    open,
    lent: new Map(),
    idle: new Map(),
    line: new Set(),
    served: new Map(),
    servings: 0,
    isClosed: false,
  }
  return {
    async use(wish, work) {
      const thing = await borrow(pool, wish)
      if (!thing) return undefined
      try {
        return await work(thing)
      } finally {
        giveBack(pool, thing, wish.owner)
      }
    },
    close() {
      pool.isClosed = true
      for (const { receive } of [...pool.line]) receive(undefined)
      for (const thing of pool.lent.keys()) thing.stop()
      for (const thing of [...pool.idle.keys()]) giveUp(pool, thing)
    },
  }
}

function borrow<T extends Lendable>(
  pool: State<T>,
  { owner, signal }: Wish,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    if (pool.isClosed || signal?.aborted) return resolve(undefined)
    const leave = () => borrower.receive(undefined)
    const patience = setTimeout(leave, pool.maxWaitMs)
    signal?.addEventListener("abort", leave)
    const borrower: Borrower<T> = {
      owner,
      receive(thing) {
        clearTimeout(patience)
        signal?.removeEventListener("abort", leave)
        pool.line.delete(borrower)
        resolve(thing)
      },
    }
    pool.line.add(borrower)
    serve(pool)
    if (pool.line.size > pool.maxWaiting) shorten(pool)
  })
}

function serve<T extends Lendable>(pool: State<T>): void {
  for (;;) {
    const borrower = nextOf(pool)
    const thing = borrower && freeThing(pool)
    if (!borrower || !thing) return
    pool.lent.set(thing, borrower.owner)
    pool.served.set(borrower.owner, ++pool.servings)
    borrower.receive(thing)
  }
}

function nextOf<T>({ line, lent, served, size }: State<T>): Borrower<T> | undefined {
  const held = countOf(lent.values())
  const most = Math.max(1, Math.floor(size * 0.75))
  const rank = ({ owner }: Borrower<T>) => [held.get(owner) ?? 0, served.get(owner) ?? 0] as const
  let first: Borrower<T> | undefined
  for (const borrower of line) {
    const [has, since] = rank(borrower)
    const [hasFirst, sinceFirst] = first ? rank(first) : [most, 0]
    if (has < hasFirst || (first && has === hasFirst && since < sinceFirst)) first = borrower
  }
  return first
}

/** The latest that came back, so that those which are too many stay unused; else a new one. */
function freeThing<T extends Lendable>(pool: State<T>): T | undefined {
  for (const thing of [...pool.idle.keys()].reverse()) {
    if (thing.isLost()) {
      giveUp(pool, thing)
      continue
    }
    clearTimeout(pool.idle.get(thing))
    pool.idle.delete(thing)
    return thing
  }
  return pool.lent.size < pool.size ? pool.open() : undefined
}

/** The line is one too long: the last of those with the most in it goes. */
function shorten<T>({ line }: State<T>): void {
  const waiting = countOf([...line].map(({ owner }) => owner))
  const most = Math.max(...waiting.values())
  const last = [...line].findLast(({ owner }) => waiting.get(owner) === most)
  last?.receive(undefined)
}

function countOf(owners: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  return counts
}

function giveBack<T extends Lendable>(pool: State<T>, thing: T, owner: string): void {
  pool.lent.delete(thing)
  if (!thing.isLost()) {
    const ms = pool.idle.size < pool.warm ? pool.warmMs : pool.idleMs
    pool.idle.set(thing, setTimeout(() => giveUp(pool, thing), ms).unref())
  }
  forget(pool, owner)
  serve(pool)
}

function forget<T>({ lent, line, served }: State<T>, owner: string): void {
  const isHere = [...lent.values()].includes(owner)
  if (!isHere && ![...line].some((each) => each.owner === owner)) served.delete(owner)
}

function giveUp<T extends Lendable>({ idle }: State<T>, thing: T): void {
  clearTimeout(idle.get(thing))
  idle.delete(thing)
  thing.stop()
}
