/** Lends out places on a few things of a kind, and makes those who come for one wait in a short line. */

/** What a pool lends places on. */
export type Lendable = { isLost(): boolean; stop(): void }

/** How a pool lends; times in milliseconds. */
export type PoolLimits = {
  /** Things there are at most; they are made when they are needed. */
  size: number
  /** Borrowers that one thing serves at once. */
  places: number
  /** Borrowers that may wait. */
  maxWaiting: number
  maxWaitMs: number
  /** When an unused thing is given up. */
  idleMs: number
}

/** Who wants a place, and until when. */
export type Wish = { owner: string; signal?: AbortSignal | undefined }

/**
 * A pool. Nobody can shut others out: an owner gets three quarters of all places at most, whoever
 * has the fewest places is served first, then whoever was served the longest ago, and when the line
 * is full the owner who fills it loses the last place in it.
 */
export type Pool<T> = {
  /** Does the work on one of the things; undefined: no place came free soon enough. */
  use<R>(wish: Wish, work: (thing: T) => Promise<R>): Promise<R | undefined>
  /** Stops everything; whoever waits gets nothing. */
  close(): void
}

type Borrower<T> = { owner: string; receive: (thing: T | undefined) => void }

type State<T> = PoolLimits & {
  open: () => T
  /** Every thing with the owners of its places that are taken. */
  things: Map<T, string[]>
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
    things: new Map(),
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
      for (const thing of [...pool.things.keys()]) drop(pool, thing)
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
    const held = countOf([...pool.things.values()].flat())
    const borrower = nextOf(pool, held)
    const thing = borrower && placeFor(pool, borrower.owner)
    if (!borrower || !thing) return
    clearTimeout(pool.idle.get(thing))
    pool.idle.delete(thing)
    pool.things.set(thing, [...(pool.things.get(thing) ?? []), borrower.owner])
    pool.served.set(borrower.owner, ++pool.servings)
    borrower.receive(thing)
  }
}

function nextOf<T>(
  { line, served, size, places }: State<T>,
  held: ReadonlyMap<string, number>,
): Borrower<T> | undefined {
  const most = Math.max(1, Math.floor(size * places * 0.75))
  const rank = ({ owner }: Borrower<T>) => [held.get(owner) ?? 0, served.get(owner) ?? 0] as const
  let first: Borrower<T> | undefined
  for (const borrower of line) {
    const [has, since] = rank(borrower)
    const [hasFirst, sinceFirst] = first ? rank(first) : [most, 0]
    if (has < hasFirst || (first && has === hasFirst && since < sinceFirst)) first = borrower
  }
  return first
}

/**
 * The thing for an owner: one where they are already, else one of their own, so that what goes wrong
 * on it stays with them; only who has none at all comes to sit with others.
 */
function placeFor<T extends Lendable>(pool: State<T>, owner: string): T | undefined {
  const things = [...pool.things].filter(([thing]) => !thing.isLost())
  const free = things.filter(([, owners]) => owners.length < pool.places)
  const own = free.filter(([, owners]) => owners.includes(owner))
  const found = emptiest(own) ?? free.find(([, owners]) => owners.length === 0)?.[0]
  if (found) return found
  if (things.length < pool.size) return pool.open()
  return things.some(([, owners]) => owners.includes(owner)) ? undefined : emptiest(free)
}

function emptiest<T>(things: [thing: T, owners: string[]][]): T | undefined {
  return things.toSorted(([, one], [, other]) => one.length - other.length)[0]?.[0]
}

/** The line is one too long: the last of those with the most in it goes. */
function shorten<T>({ line }: State<T>): void {
  const waiting = countOf([...line].map(({ owner }) => owner))
  const most = Math.max(...waiting.values())
  const last = [...line].findLast(({ owner }) => waiting.get(owner) === most)
  last?.receive(undefined)
}

function countOf(owners: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  return counts
}

function giveBack<T extends Lendable>(pool: State<T>, thing: T, owner: string): void {
  const owners = pool.things.get(thing)?.toSpliced(pool.things.get(thing)?.indexOf(owner) ?? 0, 1)
  if (owners) pool.things.set(thing, owners)
  if (thing.isLost()) {
    if (!owners?.length) pool.things.delete(thing)
  } else if (owners?.length === 0) {
    const timer = setTimeout(() => drop(pool, thing), pool.idleMs).unref()
    pool.idle.set(thing, timer)
  }
  forget(pool, owner)
  serve(pool)
}

function forget<T>({ things, line, served }: State<T>, owner: string): void {
  const isHere = [...things.values()].some((owners) => owners.includes(owner))
  if (!isHere && ![...line].some((each) => each.owner === owner)) served.delete(owner)
}

function drop<T extends Lendable>({ idle, things }: State<T>, thing: T): void {
  clearTimeout(idle.get(thing))
  idle.delete(thing)
  things.delete(thing)
  thing.stop()
}
