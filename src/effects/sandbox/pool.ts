/** Lends out a few resources of a kind, and queues those who want one. */

/** What a pool can lend. */
export type Poolable = { isLost(): boolean; stop(): void }

/** Limits of a pool; times in milliseconds. */
export type PoolLimits = {
  /** Most resources; they are opened when they are needed. */
  size: number
  /** Borrowers that may wait. */
  maxWaiting: number
  maxWaitMs: number
  /** Idle resources that are kept for `warmMs`; any more are stopped after `idleMs`. */
  warm: number
  warmMs: number
  idleMs: number
}

/** Who wants a resource, and until when. */
type BorrowRequest = { owner: string; signal?: AbortSignal | undefined }

/**
 * A pool; each resource serves one borrower at a time. No owner can shut others out: one gets three
 * quarters of the resources at most, those with the fewest are served first, then those served longest
 * ago, and when the queue is full its largest user loses the last place.
 */
export type Pool<T> = {
  /** Does work with a resource. Resolves to undefined when none becomes free in time. */
  use<R>(request: BorrowRequest, work: (resource: T) => Promise<R>): Promise<R | undefined>
  /** Stops all resources; those that wait get none. */
  close(): void
}

type Borrower<T> = { owner: string; receive: (resource: T | undefined) => void }

type State<T> = PoolLimits & {
  open: () => T
  /** Owners by what they have borrowed. */
  lent: Map<T, string>
  /** Free resources with the timers that stop them, last used last. */
  idle: Map<T, NodeJS.Timeout>
  queue: Set<Borrower<T>>
  /** When owners were served last, counted in servings; only of owners that borrow or wait. */
  served: Map<string, number>
  servings: number
  isClosed: boolean
}

/** Opens a pool. */
export function openPool<T extends Poolable>(open: () => T, limits: PoolLimits): Pool<T> {
  const pool: State<T> = {
    ...limits,
    open,
    lent: new Map(),
    idle: new Map(),
    queue: new Set(),
    served: new Map(),
    servings: 0,
    isClosed: false,
  }
  return {
    async use(request, work) {
      const resource = await borrow(pool, request)
      if (!resource) return undefined
      try {
        return await work(resource)
      } finally {
        giveBack(pool, resource, request.owner)
      }
    },
    close() {
      pool.isClosed = true
      for (const { receive } of [...pool.queue]) receive(undefined)
      for (const resource of pool.lent.keys()) resource.stop()
      for (const resource of [...pool.idle.keys()]) discard(pool, resource)
    },
  }
}

function borrow<T extends Poolable>(
  pool: State<T>,
  { owner, signal }: BorrowRequest,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    if (pool.isClosed || signal?.aborted) return resolve(undefined)
    const giveUp = () => borrower.receive(undefined)
    const timer = setTimeout(giveUp, pool.maxWaitMs)
    signal?.addEventListener("abort", giveUp)
    const borrower: Borrower<T> = {
      owner,
      receive(resource) {
        clearTimeout(timer)
        signal?.removeEventListener("abort", giveUp)
        pool.queue.delete(borrower)
        resolve(resource)
      },
    }
    pool.queue.add(borrower)
    serve(pool)
    if (pool.queue.size > pool.maxWaiting) shorten(pool)
  })
}

function serve<T extends Poolable>(pool: State<T>): void {
  for (;;) {
    const borrower = nextOf(pool)
    const resource = borrower && freeResource(pool)
    if (!borrower || !resource) return
    pool.lent.set(resource, borrower.owner)
    pool.served.set(borrower.owner, ++pool.servings)
    borrower.receive(resource)
  }
}

function nextOf<T>({ queue, lent, served, size }: State<T>): Borrower<T> | undefined {
  const held = countOf(lent.values())
  const most = Math.max(1, Math.floor(size * 0.75))
  const rank = ({ owner }: Borrower<T>) => [held.get(owner) ?? 0, served.get(owner) ?? 0] as const
  let first: Borrower<T> | undefined
  for (const borrower of queue) {
    const [has, since] = rank(borrower)
    const [hasFirst, sinceFirst] = first ? rank(first) : [most, 0]
    if (has < hasFirst || (first && has === hasFirst && since < sinceFirst)) first = borrower
  }
  return first
}

/** The last one used, so that surplus ones stay idle; otherwise a new one. */
function freeResource<T extends Poolable>(pool: State<T>): T | undefined {
  for (const resource of [...pool.idle.keys()].reverse()) {
    if (resource.isLost()) {
      discard(pool, resource)
      continue
    }
    clearTimeout(pool.idle.get(resource))
    pool.idle.delete(resource)
    return resource
  }
  return pool.lent.size < pool.size ? pool.open() : undefined
}

/** The queue is one too long: the last request of its largest user goes. */
function shorten<T>({ queue }: State<T>): void {
  const waiting = countOf([...queue].map(({ owner }) => owner))
  const most = Math.max(...waiting.values())
  const last = [...queue].findLast(({ owner }) => waiting.get(owner) === most)
  last?.receive(undefined)
}

function countOf(owners: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  return counts
}

function giveBack<T extends Poolable>(pool: State<T>, resource: T, owner: string): void {
  pool.lent.delete(resource)
  if (!resource.isLost()) {
    const ms = pool.idle.size < pool.warm ? pool.warmMs : pool.idleMs
    pool.idle.set(resource, setTimeout(() => discard(pool, resource), ms).unref())
  }
  forget(pool, owner)
  serve(pool)
}

function forget<T>({ lent, queue, served }: State<T>, owner: string): void {
  const isHere = [...lent.values()].includes(owner)
  if (!isHere && ![...queue].some((each) => each.owner === owner)) served.delete(owner)
}

function discard<T extends Poolable>({ idle }: State<T>, resource: T): void {
  clearTimeout(idle.get(resource))
  idle.delete(resource)
  resource.stop()
}
