/** The connection pool: outlives restarts of the server and reads numbers and dates as we want them. */
import pg from "pg"

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
  /** Called when a connection cannot be opened because no server answers, before one more try. */
  recover?: () => Promise<void>
  /** Told about connections that broke while idle; the pool replaces them by itself. */
  onError?: (error: Error) => void
}

const int8Oid = 20
const dateOid = 1082

// A restarting server refuses, has no socket, or says that it starts up or shuts down (57P03).
const serverGoneCodes = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "57P03", "57P01"])

/** Opens a pool; nothing is connected before the first query. */
export function createPool(options: PoolOptions): pg.Pool {
  const config: pg.PoolConfig = {
    connectionString: options.url,
    max: options.size,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
    application_name: "parley",
    types: { getTypeParser },
  }
  if (options.statementTimeoutMs > 0) config.statement_timeout = options.statementTimeoutMs
  const pool = options.recover ? new RecoveringPool(config, options.recover) : new pg.Pool(config)
  // Without a listener a connection that breaks while idle would end the process.
  pool.on("error", (error) => options.onError?.(error))
  return pool
}

/** bigint as number (counts stay below 2^53), date as `YYYY-MM-DD`, the rest as pg does. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  if (oid === int8Oid) return Number
  if (oid === dateOid) return String
  return pg.types.getTypeParser(oid, format as "text")
}

/** pg's pool, which on a refused connection has the server brought back and tries once more. */
class RecoveringPool extends pg.Pool {
  readonly #recover: () => Promise<void>

  constructor(config: pg.PoolConfig, recover: () => Promise<void>) {
    super(config)
    this.#recover = recover
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      this.#connect(callback)
      return undefined
    }
    return new Promise((resolve, reject) => {
      this.#connect((error, client) => {
        if (client) resolve(client)
        else reject(error)
      })
    })
  }

  #connect(callback: ConnectCallback): void {
    super.connect((error, client, done) => {
      if (!error || !isServerGone(error)) return callback(error, client, done)
      this.#recover().then(
        () => super.connect(callback),
        (cause) => callback(cause, undefined, () => {}),
      )
    })
  }
}

function isServerGone(error: Error & { code?: string }): boolean {
  if (error.code !== undefined) return serverGoneCodes.has(error.code)
  return error.message.startsWith("Connection terminated")
}
