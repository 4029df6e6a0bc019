/**
 * Connections for hot statements. Those that are asked for at the same time share a round trip and a
 * transaction, which costs the server and us half of what one each would; and a connection is handed
 * on to the next ones, instead of going through the pool each time.
 */
import pg from "pg"
import { HotBatch } from "./hotBatch.ts"
import { HotQuery, type Row } from "./hotQuery.ts"
import type { Statement } from "./open.ts"
import { databaseBusy } from "./pool.ts"

type Lane = { client: pg.PoolClient; onError(error: Error): void }

type Waiting = {
  query: HotQuery
  resolve(rows: Row[]): void
  reject(error: unknown): void
  /** When it was asked for, by `performance.now()`. */
  since: number
  /** Has gone wrong in company, and is tried once more without. */
  isAlone: boolean
}

/** The bounds of the queue, as those of the pool; without `waitMs` nobody is sent away. */
export type LaneBounds = { waitMs?: number | undefined; maxWaiting: number }

/** A turn comes back for its second statement within this time; idle connections are the pool's. */
const parkingMs = 100
/** Lanes that are enough while none of them is held up: the fewer, the more statements share one. */
const usualLanes = 4
/** Who has waited so long is held up, so one more lane is opened. */
const heldUpMs = 20
/** What one batch may take: those in it wait for each other. */
const mostStatements = 16
const mostCharacters = 256 * 1024

/** The lanes of a pool: connections that are at work, or parked for the next statements. */
export class Lanes {
  readonly #pool: pg.Pool
  readonly #bounds: LaneBounds
  readonly #parked: Lane[] = []
  readonly #line: Waiting[] = []
  readonly #texts = new Map<string, string>()
  /** At work, or on their way from the pool. */
  #taken = 0
  #isServing = false
  #isLooking = false
  #isClosed = false
  #sweeping: NodeJS.Timeout | undefined

  constructor(pool: pg.Pool, bounds: LaneBounds) {
    this.#pool = pool
    this.#bounds = bounds
  }

  /** Runs a statement, with others that are asked for in the same turn of the event loop. */
  run(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const query = new HotQuery(statement, values)
      this.#learn(statement)
      // Some of those in the line may only wait for others to come with them.
      if (this.#isFull()) this.#serve()
      if (this.#isFull()) throw databaseBusy()
      this.#line.push({ query, resolve, reject, since: performance.now(), isAlone: false })
      this.#serveSoon()
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
    this.#sweep()
  }

  #learn({ name, text }: Statement): void {
    const known = this.#texts.get(name)
    if (known === undefined) this.#texts.set(name, text)
    else if (known !== text) throw new Error(`Two statements are called ${name}`)
  }

  #isFull(): boolean {
    const { waitMs, maxWaiting } = this.#bounds
    return waitMs !== undefined && this.#line.length + this.#pool.waitingCount >= maxWaiting
  }

  #serveSoon(): void {
    if (this.#isServing) return
    this.#isServing = true
    setImmediate(() => {
      this.#isServing = false
      this.#serve()
    })
  }

  #serve(): void {
    while (this.#line.length > 0) {
      const lane = this.#parked.pop()
      if (lane) this.#send(lane, this.#takeBatch())
      else if (this.#mayOpen(usualLanes)) void this.#sendOnNew(this.#takeBatch())
      else break
    }
    this.#look()
  }

  /** Whether to ask the pool: not when one of our own will be free before it has another. */
  #mayOpen(most: number): boolean {
    const { idleCount, totalCount, options } = this.#pool
    if (this.#taken === 0) return true
    return this.#taken < most && (idleCount > 0 || totalCount < (options.max ?? 1))
  }

  /** Those at the head of the line that may go together, in the order in which all lock rows. */
  #takeBatch(): Waiting[] {
    const line = this.#line
    const [head] = line
    if (!head || !isSociable(head)) return line.splice(0, 1)
    let count = 1
    let characters = head.query.size
    for (; count < mostStatements; count++) {
      const next = line[count]
      characters += next?.query.size ?? 0
      if (!next || !isSociable(next) || characters > mostCharacters) break
    }
    return line.splice(0, count).sort(byFirstValue)
  }

  #send(lane: Lane, batch: Waiting[]): void {
    const queries = new HotBatch(batch.map(({ query }) => query))
    this.#taken += 1
    queries.callback = (error) => {
      this.#taken -= 1
      if (error) {
        giveBack(lane, error)
        this.#blame(batch, queries.done, error)
      } else {
        this.#goOn(lane)
        for (const { query, resolve, reject } of batch) {
          if (query.failure) reject(query.failure)
          else resolve(query.rows)
        }
      }
      if (this.#line.length > 0) this.#serveSoon()
    }
    lane.client.query(queries)
  }

  /** What the server refused is undone as a whole; those who are not to blame are tried again. */
  #blame(batch: Waiting[], place: number, error: Error): void {
    const code = isUndone(error) ? error.code : undefined
    const again: Waiting[] = []
    for (const [index, waiting] of batch.entries()) {
      const isAlone = index === place
      const isToBlame = isAlone && !(batch.length > 1 && companyCodes.has(code))
      const { statement, values } = waiting.query
      if (code === undefined || isToBlame) waiting.reject(error)
      else again.push({ ...waiting, query: new HotQuery(statement, values), isAlone })
    }
    this.#line.unshift(...again)
  }

  #goOn(lane: Lane): void {
    // Whoever waits in the pool can get no other connection.
    if (this.#isClosed || this.#pool.waitingCount > 0) {
      giveBack(lane)
    } else {
      this.#parked.push(lane)
      this.#sweeping ??= setTimeout(() => this.#sweep(), parkingMs)
    }
  }

  async #sendOnNew(batch: Waiting[]): Promise<void> {
    this.#taken += 1
    try {
      const lane = this.#open(await this.#pool.connect())
      this.#taken -= 1
      this.#send(lane, batch)
    } catch (error) {
      this.#taken -= 1
      for (const { reject } of batch) reject(error)
      this.#serveSoon()
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

  /** While somebody waits, looks again and again who has waited too long. */
  #look(): void {
    if (this.#line.length === 0 || this.#isLooking) return
    this.#isLooking = true
    setTimeout(() => {
      this.#isLooking = false
      const { waitMs = Number.POSITIVE_INFINITY } = this.#bounds
      const now = performance.now()
      while (this.#line[0] && this.#line[0].since + waitMs <= now) {
        this.#line.shift()?.reject(databaseBusy())
      }
      const isHeldUp = this.#line[0] !== undefined && this.#line[0].since + heldUpMs <= now
      if (isHeldUp && this.#mayOpen(Number.POSITIVE_INFINITY))
        void this.#sendOnNew(this.#takeBatch())
      this.#look()
    }, heldUpMs)
  }
}

function isSociable({ query, isAlone }: Waiting): boolean {
  return query.statement.isShared === true && !isAlone
}

/** Two batches that lock the same rows do so in the same order, or they might wait for each other. */
function byFirstValue(one: Waiting, other: Waiting): number {
  const [a, b] = [String(one.query.values[0]), String(other.query.values[0])]
  return a < b ? -1 : a > b ? 1 : 0
}

/** A deadlock and a conflict of the batch, which alone the statement may not have. */
const companyCodes = new Set<string | undefined>(["40P01", "40001"])

/** Whether the server said that it undid everything; one that goes away (08, 57P) may not have. */
function isUndone(error: Error): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? "08")
}

/** Once only: a connection that breaks while at work is told of twice. */
function giveBack({ client, onError }: Lane, error?: Error): void {
  if (!client.listeners("error").includes(onError)) return
  client.off("error", onError)
  client.release(error)
}
