/** Connections that hot statements hand to each other, instead of asking the pool for each of them. */
import type pg from "pg"
import type { HotQuery, Row } from "./hotQuery.ts"
import { databaseBusy } from "./pool.ts"

type Lane = { client: pg.PoolClient; onError(error: Error): void }

type Waiting = {
  query: HotQuery
  resolve(rows: Row[]): void
  reject(error: unknown): void
  /** When the wait is over, by `performance.now()`. */
  until: number
}

/** The bounds of the queue, as those of the pool; without `waitMs` everybody waits in the pool. */
export type LaneBounds = { waitMs?: number | undefined; maxWaiting: number }

/** A turn comes back for its second statement within this time; idle connections are the pool's. */
const parkingMs = 100

/** The lanes of a pool: connections that are at work, or parked for the next statement. */
export class Lanes {
  readonly #pool: pg.Pool
  readonly #bounds: LaneBounds
  readonly #parked: Lane[] = []
  readonly #line: Waiting[] = []
  #working = 0
  #sweeping: NodeJS.Timeout | undefined
  #expiring: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(pool: pg.Pool, bounds: LaneBounds) {
    this.#pool = pool
    this.#bounds = bounds
  }

  /** Runs a statement on a connection that is parked or comes free, else on a new one of the pool. */
  run(query: HotQuery): Promise<Row[]> {
    const { waitMs, maxWaiting } = this.#bounds
    return new Promise((resolve, reject) => {
      const waiting = { query, resolve, reject, until: performance.now() + (waitMs ?? 0) }
      const lane = this.#parked.pop()
      if (lane) this.#send(lane, waiting)
      else if (waitMs === undefined || !this.#isFull()) void this.#fetchFor(waiting)
      else if (this.#line.length + this.#pool.waitingCount >= maxWaiting) reject(databaseBusy())
      else {
        this.#line.push(waiting)
        this.#watch()
      }
    })
  }

  /** Gives a parked connection back to the pool, where somebody else waits for one. */
  yieldOne(): void {
    const lane = this.#parked.pop()
    if (lane) giveBack(lane)
  }

  /** Gives all connections back, those at work when they are done. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#sweeping)
    clearTimeout(this.#expiring)
    this.#sweep()
  }

  /** Whether one of our own will be free before the pool has another. */
  #isFull(): boolean {
    const { idleCount, totalCount, options } = this.#pool
    return this.#working > 0 && idleCount === 0 && totalCount >= (options.max ?? 1)
  }

  #send(lane: Lane, { query, resolve, reject }: Waiting): void {
    this.#working += 1
    query.callback = (error, rows = []) => {
      this.#working -= 1
      if (error) {
        giveBack(lane, error)
        void this.#fetchFor(this.#line.shift())
        reject(error)
      } else {
        this.#goOn(lane)
        resolve(rows)
      }
    }
    lane.client.query(query)
  }

  /** On to the next statement; but whoever waits in the pool can get no other connection. */
  #goOn(lane: Lane): void {
    const next = this.#line.shift()
    if (this.#isClosed || this.#pool.waitingCount > 0) {
      giveBack(lane)
      void this.#fetchFor(next)
    } else if (next) {
      this.#send(lane, next)
    } else {
      this.#parked.push(lane)
      this.#sweeping ??= setTimeout(() => this.#sweep(), parkingMs)
    }
  }

  async #fetchFor(waiting: Waiting | undefined): Promise<void> {
    if (!waiting) return
    try {
      this.#send(this.#open(await this.#pool.connect()), waiting)
    } catch (error) {
      waiting.reject(error)
      void this.#fetchFor(this.#line.shift())
    }
  }

  #open(client: pg.PoolClient): Lane {
    const lane: Lane = {
      client,
      onError: (error) => {
        const index = this.#parked.indexOf(lane)
        if (index !== -1) this.#parked.splice(index, 1)
        giveBack(lane, error)
      },
    }
    client.on("error", lane.onError)
    return lane
  }

  #sweep(): void {
    this.#sweeping = undefined
    for (const lane of this.#parked.splice(0)) giveBack(lane)
  }

  #watch(): void {
    const [first] = this.#line
    if (!first) return
    const leftMs = Math.max(1, first.until - performance.now())
    this.#expiring ??= setTimeout(() => this.#expire(), leftMs)
  }

  #expire(): void {
    this.#expiring = undefined
    const now = performance.now()
    while (this.#line[0] && this.#line[0].until <= now) this.#line.shift()?.reject(databaseBusy())
    this.#watch()
  }
}

/** Once only: a connection that breaks while at work is told of twice. */
function giveBack({ client, onError }: Lane, error?: Error): void {
  if (!client.listeners("error").includes(onError)) return
  client.off("error", onError)
  client.release(error)
}
