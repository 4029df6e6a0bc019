/** The connection pool: bounded in waiting, outlives restarts of the server, reads values as we want. */
import pg from "pg"
import { unavailable } from "../../shared/errors.ts"

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** What a pool needs to know. */
export type PoolOptions = {
  /** `postgres://...`; a socket folder as host is written percent-encoded. */
  url: string
  /** Most connections at a time. */
  size: number
  /** Longest run of one statement; 0: no limit, and nothing is sent at the start of a connection. */
  statementTimeoutMs: number
  /** Longest wait for a connection, then a 503; absent: as long as connecting may take. */
  waitMs?: number
  /** Most that may wait for a connection at a time, further ones get a 503; absent: any number. */
  maxWaiting?: number
  /** Called when somebody asks for a connection and none is free. */
  onScarce?: () => void
  /** Called when a connection cannot be opened because no server answers, before one more try. */
  recover?: () => Promise<void>
  /** Told about connections that broke while idle; the pool replaces them by itself. */
  onError?: (error: Error) => void
}

/** A pool that can be told to begin anew. */
export type Pool = pg.Pool & {
  /** Closes every connection that is open now, those at work when they come back. */
  retire(): void
}

const int8Oid = 20
const dateOid = 1082
const connectTimeoutMs = 15_000
const retireMs = 1_000

// For servers that do not keep their own time limit, or have vanished together with it.
const answerGraceMs = 2_000

// A restarting server refuses, has no socket, or says that it starts up or shuts down (57P03).
const serverGoneCodes = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "57P03", "57P01"])

/** Opens a pool; nothing is connected before the first query. */
export function createPool(options: PoolOptions): Pool {
  const { statementTimeoutMs } = options
  const config: pg.PoolConfig = {
    connectionString: options.url,
    max: options.size,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "parley",
    types: { getTypeParser },
    ...(statementTimeoutMs > 0 && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + answerGraceMs,
    }),
  }
  const pool = new BoundedPool(config, options)
  // Without a listener a connection that breaks while idle would end the process. Those of a pool
  // that ends may break before they have said goodbye, because the server ends too.
  pool.on("error", (error) => {
    if (!pool.ending) options.onError?.(error)
  })
  return pool
}

/** bigint as number (counts stay below 2^53), date as `YYYY-MM-DD`, the rest as pg does. */
export const getTypeParser: typeof pg.types.getTypeParser = (
  oid: number,
  format?: "text" | "binary",
) => {
  if (oid === int8Oid) return Number
  if (oid === dateOid) return String
  return pg.types.getTypeParser(oid, format as "text")
}

/**
 * pg's pool with a bounded queue: whoever would wait too long is told so, and the connection that
 * comes too late serves the next. When no server answers it has it brought back and tries once more.
 */
class BoundedPool extends pg.Pool {
  readonly #bounds: PoolOptions
  /** Connections that may be lent again; those from before the last retirement are not among them. */
  #current = new WeakSet<pg.PoolClient>()
  #retiredAt = Number.NEGATIVE_INFINITY
  #retiring: NodeJS.Timeout | undefined

  constructor(config: pg.PoolConfig, bounds: PoolOptions) {
    super(config)
    this.#bounds = bounds
    this.on("connect", (client) => {
      this.#current.add(client)
      // One that breaks while it is lent fails what is asked of it; without a listener it would end
      // the process as well.
      client.on("error", () => {})
    })
  }

  /** Once a second at most: a server that refuses every write must not be connected to without end. */
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
    const { waitMs, maxWaiting = Number.POSITIVE_INFINITY, onScarce } = this.#bounds
    if (this.idleCount === 0) onScarce?.()
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
      if (isOver) done()
      else callback(error, client, done)
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

  /** Whether one more try is worth it; several that set the refused time limit may fail at once. */
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

/** 503 for who would wait too long for a connection. */
export function databaseBusy(): Error {
  return unavailable("The database is busy", 1)
}

function isServerGone(error: Error & { code?: string }): boolean {
  if (error.code !== undefined) return serverGoneCodes.has(error.code)
  return error.message.startsWith("Connection terminated")
}

/** PgBouncer refuses settings at the start of a connection that it does not know (seen with 1.18). */
function isRefusedParameter(error: Error & { code?: string }): boolean {
  return error.code === "08P01" && error.message.includes("unsupported startup parameter")
}
