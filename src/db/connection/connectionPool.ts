/** The connection pool, which bounds waiting and survives restarts of the server. */
import pg from "pg"
import { unavailable } from "../../lib/errors.ts"
import { networkFailureOf } from "../../lib/networkErrors.ts"
import { Client } from "./withClient.ts"

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

type PoolOptions = {
  /** `postgres://...`; a socket folder as host is percent-encoded. */
  url: string
  /** Max connections. */
  size: number
  /** Max duration of a statement; 0: no limit, and no setting is sent when connecting. */
  statementTimeoutMs: number
  /** Max wait for a connection, then a 503; absent: as long as connecting may take. */
  waitMs?: number
  /** Max waiting callers, then a 503; absent: unlimited. */
  maxWaiting?: number
  /** Called when no server answers, before the second and last attempt to connect. */
  recover?: () => Promise<void>
  /** Called when a connection breaks while idle; the pool replaces it. */
  onError?: (error: Error) => void
}

/** A pool that can replace its connections. */
export type Pool = pg.Pool & {
  /** Closes every connection that is open now; busy ones when they are released. */
  retire(): void
}

const connectTimeoutMs = 15_000
const retireMs = 1_000

// How much longer than the server's limit to wait for servers that ignore it or have vanished.
const answerGraceMs = 2_000

// A restarting server refuses, has no socket, or reports that it is shutting down or starting up.
const goneStates = new Set(["57P03", "57P01"])

/** Opens a pool; nothing is connected before the first query. */
export function openConnectionPool(options: PoolOptions): Pool {
  const config = {
    ...connectionConfig(options),
    max: options.size,
    idleTimeoutMillis: 60_000,
    Client,
  }
  const pool = new BoundedPool(config, options)
  // Without a listener, a connection that breaks while idle would end the process. While the pool ends,
  // a server that ends too may break connections before they are closed.
  pool.on("error", (error) => {
    if (!pool.ending) options.onError?.(error)
  })
  return pool
}

/** How each connection to the database is made. */
export function connectionConfig({
  url,
  statementTimeoutMs,
}: Pick<PoolOptions, "url" | "statementTimeoutMs">): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "parley",
    types,
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + answerGraceMs,
    }),
  }
}

/** bigint as a number (counts stay below 2^53), date as `YYYY-MM-DD`, the rest as in pg. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.DATE, String)

/**
 * pg's pool with a bounded queue: a caller that would wait too long is refused, and the connection that
 * comes too late serves the next one. When no server answers, it is recovered and tried once more.
 */
class BoundedPool extends pg.Pool {
  readonly #bounds: PoolOptions
  /** Connections that may be lent again: those opened since the pool was last retired. */
  #current = new WeakSet<pg.PoolClient>()
  #retiredAt = Number.NEGATIVE_INFINITY
  #retiring: NodeJS.Timeout | undefined

  constructor(config: pg.PoolConfig, bounds: PoolOptions) {
    super(config)
    this.#bounds = bounds
    this.on("connect", (client) => {
      this.#current.add(client)
      // A connection that breaks while lent fails its queries; without a listener it would also end the
      // process.
      client.on("error", () => {})
    })
  }

  /** At most once a second: a server that refuses every write must not be connected to endlessly. */
  retire(): void {
    const waitMs = Math.max(this.#retiredAt + retireMs - performance.now(), 0)
    if (this.#retiring !== undefined) return
    const retireNow = () => {
      this.#retiring = undefined
      this.#retiredAt = performance.now()
      this.#current = new WeakSet()
    }
    if (waitMs === 0) retireNow()
    else this.#retiring = setTimeout(retireNow, waitMs).unref()
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      this.#borrow(callback)
      return undefined
    }
    return new Promise((resolve, reject) => {
      this.#borrow((error, client) => {
        if (client) resolve(client)
        else reject(error)
      })
    })
  }

  #borrow(callback: ConnectCallback): void {
    const { waitMs, maxWaiting = Number.POSITIVE_INFINITY } = this.#bounds
    const isFree = this.idleCount > this.waitingCount
    if (isFree || waitMs === undefined) this.#connect(callback)
    else if (this.waitingCount < maxWaiting) this.#connectWithin(waitMs, callback)
    else process.nextTick(callback, databaseBusy(), undefined, () => {})
  }

  #connectWithin(waitMs: number, callback: ConnectCallback): void {
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      callback(databaseBusy(), undefined, () => {})
    }, waitMs)
    this.#connect((error, client, done) => {
      clearTimeout(timer)
      if (!isOver) callback(error, client, done)
      // pg-pool gives no `done` with some errors, such as that of waiting too long.
      else if (client) done()
    })
  }

  #connect(callback: ConnectCallback): void {
    const setsTimeout = this.options.statement_timeout !== undefined
    super.connect((error, client, done) => {
      if (client && !this.#current.has(client)) {
        done(true)
        this.#connect(callback)
        return
      }
      if (!error) {
        callback(error, client, done)
        return
      }
      this.#repair(error, setsTimeout).then(
        (isRepaired) => {
          if (isRepaired) super.connect(callback)
          else callback(error, client, done)
        },
        (cause) => callback(cause, undefined, () => {}),
      )
    })
  }

  /** Whether to try once more; several connections may fail at once on the refused time limit. */
  async #repair(error: Error & { code?: string }, setsTimeout: boolean): Promise<boolean> {
    if (isRefusedParameter(error) && setsTimeout) {
      this.options.statement_timeout = undefined
      return true
    }
    if (!this.#bounds.recover || !isServerGone(error)) return false
    await this.#bounds.recover()
    return true
  }
}

/** The 503 for callers who would wait too long for a connection. */
export function databaseBusy(): Error {
  return unavailable("The database is busy", 1)
}

function isServerGone(error: Error & { code?: string }): boolean {
  const failure = networkFailureOf(error)
  if (failure !== undefined) return failure === "refused" || failure === "closed"
  if (error.code !== undefined) return goneStates.has(error.code)
  return error.message.startsWith("Connection terminated")
}

/** Whether a pooler refused a setting when connecting, as PgBouncer does. */
export function isRefusedParameter(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "08P01" &&
    error.message.includes("unsupported startup parameter")
  )
}
