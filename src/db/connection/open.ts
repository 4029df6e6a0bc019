/** Opens the database: the one of a URL, or else an embedded one that lives in the data folder. */
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely"
import { startEmbedded } from "../../postgres/start.ts"
import type { Database } from "../schema/tables.ts"
import { failureOf } from "./failures.ts"
import { Lanes } from "./lanes.ts"
import { createPool, type Pool } from "./pool.ts"
import { openWriteWatch, type WriteWatch } from "./writeWatch.ts"

/** A hot statement: constant text, sent under its name so that the server plans it once. */
export type Statement = {
  name: string
  text: string
  /**
   * May share a transaction with others: it reads or writes few rows by their keys, those that it
   * writes belong to one chat, and its first value says to which.
   */
  isShared?: true
}

/** What every query function takes as its first argument. */
export type Db = {
  /** For everything but the hot statements. Columns are in camel case; jsonb goes in as JSON text. */
  kysely: Kysely<Database>
  /** Runs a hot statement and returns its rows. */
  run<Row>(statement: Statement, values: unknown[]): Promise<Row[]>
}

/** A `Db` with its pool. */
export type OpenDatabase = Db & {
  pool: Pool
  /** Rejects while the database does not answer or takes no writes. */
  check(): Promise<void>
  /** Where it is: the URL that was given, or that of the embedded server. */
  url: string
  /**
   * Connections of their own for work that must not compete with this one's; to be closed first.
   * Options left out are as here, the limits on waiting excepted: there are none.
   */
  beside(options: Pick<OpenOptions, "url" | "poolSize" | "statementTimeoutMs">): OpenDatabase
  /** Ends the connections and stops the embedded server if this process started it. */
  close(): Promise<void>
}

/** Where the database is and how to talk to it. */
export type OpenOptions = {
  /** `postgres://...`; absent: an embedded server. */
  url?: string | undefined
  /** Folder of the embedded server's data. Needed without `url`. */
  dataFolder?: string | undefined
  /** Folder with `postgres` and `initdb` for the embedded server; absent: found by itself. */
  binFolder?: string | undefined
  /** Most connections at a time, 10 unless told. */
  poolSize?: number | undefined
  /** False sends hot statements unnamed, for poolers that cannot carry prepared statements. */
  prepare?: boolean | undefined
  /** Longest run of one statement, 15 seconds unless told; 0: no limit. */
  statementTimeoutMs?: number | undefined
  /** Longest wait for a connection, then a 503; absent: as long as connecting may take. */
  waitMs?: number | undefined
  /** Told about connections that broke while idle; the pool replaces them by itself. */
  onError?: ((error: Error) => void) | undefined
}

/** Opens the pool, after starting the embedded server when no URL is given. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  if (options.url !== undefined) return connect(options, options.url)
  if (options.dataFolder === undefined) {
    throw new Error("No database is named: set DATABASE_URL, or name a data folder.")
  }
  const server = await startEmbedded({
    dataFolder: options.dataFolder,
    binFolder: options.binFolder,
  })
  const database = connect(options, server.url, server.ensureRunning)
  const close = async () => {
    await database.close()
    await server.stop()
  }
  return { ...database, close }
}

// A thousand simple statements pass through ten connections in about a tenth of a second.
const waitingPerConnection = 100

function connect(options: OpenOptions, url: string, recover?: () => Promise<void>): OpenDatabase {
  const size = options.poolSize ?? 10
  const { waitMs } = options
  const maxWaiting = size * waitingPerConnection
  const pool = createPool({
    onScarce: () => lanes.yieldOne(),
    url,
    size,
    statementTimeoutMs: options.statementTimeoutMs ?? 15_000,
    ...(waitMs !== undefined && { waitMs, maxWaiting }),
    ...(recover && { recover }),
    ...(options.onError && { onError: options.onError }),
  })
  const lanes = new Lanes(pool, { waitMs, maxWaiting })
  const watch = openWriteWatch(pool)
  const kysely = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: watched(pool, watch) }),
    // Only the names of columns change: keys inside jsonb stay as they are stored.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  let prepares = options.prepare ?? true
  const send = async (statement: Statement, values: unknown[]): Promise<unknown[]> => {
    if (prepares) {
      try {
        return await lanes.run(statement, values)
      } catch (error) {
        if (!isStrayStatement(error)) throw error
        if (prepares) options.onError?.(new Error(strayWarning))
        prepares = false
      }
    }
    return (await pool.query(statement.text, values)).rows
  }
  return {
    kysely,
    pool,
    url,
    check: watch.check,
    beside: (more) => connect({ ...options, waitMs: undefined, ...more }, more.url ?? url, recover),
    async run<Row>(statement: Statement, values: unknown[]): Promise<Row[]> {
      try {
        return (await send(statement, values)) as Row[]
      } catch (error) {
        watch.note(error)
        throw error
      }
    },
    async close() {
      lanes.close()
      await kysely.destroy()
      // Kysely ends a pool only if it has used it.
      if (!pool.ending) await pool.end()
    },
  }
}

const strayWarning = "The pooler mixes prepared statements up: going on without"

/**
 * Whether a statement was not run because its name is taken or unknown on the server's connection,
 * as behind a pooler that shares connections but not the names (PgBouncer before 1.21).
 */
function isStrayStatement(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "42P05" || code === "26000"
}

/**
 * The pool as Kysely uses it, which gives every connection back as sound. One that told that its
 * server is gone, is silent or takes no writes is closed instead of being lent to the next.
 */
function watched(pool: Pool, watch: WriteWatch): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      let broken: Error | undefined
      const query = (text: string, values: readonly unknown[]) =>
        client.query(text, [...values]).catch((error: Error) => {
          const failure = failureOf(error)
          if (failure === "lost" || failure === "readOnly") broken = error
          watch.note(error)
          throw error
        })
      // Kysely uses the other overloads only for cursors, which we do not.
      const lent = { query, release: () => client.release(broken) }
      return lent as unknown as PostgresPoolClient
    },
  }
}
