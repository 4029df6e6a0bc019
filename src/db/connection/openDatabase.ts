/** Opens the database at a URL, or an embedded one in the data folder. */
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely"
import { LRUCache } from "lru-cache"
import { type FairQueue, openFairQueue } from "../../lib/fairQueue.ts"
import type { Party } from "../../lib/party.ts"
import { startEmbedded } from "../../postgres/startEmbedded.ts"
import type { Database } from "../schema/tables.ts"
import { connectionConfig, databaseBusy, openConnectionPool, type Pool } from "./connectionPool.ts"
import { failureOf } from "./databaseFailures.ts"
import type { Statement } from "./hotQuery.ts"
import { hotRunner, Pipelines } from "./pipelines.ts"
import { retryContended } from "./transactions.ts"
import { createWriteWatch, type WriteWatch } from "./writeWatch.ts"

/** The first argument of every query function. */
export type Db = {
  /** For everything but hot statements. Columns are in camel case; jsonb goes in as JSON text. */
  kysely: Kysely<Database>
  /** Runs a hot statement and returns its rows. */
  run<Row>(statement: Statement, values: unknown[]): Promise<Row[]>
  /** Records the changes made through this; absent: they are not recorded. */
  changeLog?: ChangeLog | undefined
}

/** The database of a process. */
export type SharedDb = Db & {
  /**
   * `kysely` for the statements of a party. Parties take turns at the connections; one that has some never
   * gets the last one, which is left for others.
   */
  kyselyOf(party: Party): Kysely<Database>
}

/** Records a change in the transaction that makes it. */
export type ChangeLog = {
  /** Names the workspace that changes. */
  about(workspaceId: string): void
  write(source: Source): Promise<void>
}

/** The database or a transaction in it, which cannot run hot statements. */
export type Source = Pick<Db, "kysely">

/** A `Db` with its connections. */
export type OpenDatabase = SharedDb & {
  pool: Pool
  pipelines: Pipelines
  /** Rejects while the database does not answer or takes no writes. */
  check(): Promise<void>
  /** The URL of the database, embedded or not. */
  url: string
  /** The folder of the embedded database, if that is not the data folder. */
  elsewhere?: string | undefined
  /**
   * Opens another pool, for work that must not compete with callers; close it before this one. Options
   * that are left out are as here, except that waiting is not limited.
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
  /** Folder with `postgres` and `initdb` for the embedded server; absent: found automatically. */
  binFolder?: string | undefined
  /** Further settings of the embedded server, as `name=value`. */
  settings?: string[] | undefined
  /** Max connections, pipelines included; 10 by default. */
  poolSize?: number | undefined
  /** False sends hot statements unnamed, for poolers that do not support prepared statements. */
  prepare?: boolean | undefined
  /** Max duration of a statement, 15 seconds by default; 0: no limit. */
  statementTimeoutMs?: number | undefined
  /** Max wait for a connection, then a 503; absent: as long as connecting may take. */
  waitMs?: number | undefined
  /** Called when a connection breaks while idle; another one replaces it. */
  onError?: ((error: Error) => void) | undefined
}

/** One for reads, and five for writes, which commit side by side. */
const maxPipelines = 6
/** Max of all connections that are pipelines; the others are the pool. */
const pipelinedShare = 0.6

/** Opens the database, after starting the embedded server when no URL is given. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { url, dataFolder, binFolder, settings } = options
  if (url !== undefined) return connect({ ...options, url, maxPipelines })
  if (dataFolder === undefined) {
    throw new Error("No database is configured: set DATABASE_URL, or name a data folder.")
  }
  const server = await startEmbedded({ dataFolder, binFolder, settings })
  const recover = server.ensureRunning
  const database = connect({ ...options, url: server.url, recover, maxPipelines })
  const close = async () => {
    await database.close()
    await server.stop()
  }
  return { ...database, elsewhere: server.elsewhere, close }
}

/**
 * Runs the work and leaves no trace of it, neither rows nor notifications. Returns or throws what the work
 * does. It must not run hot statements, which are outside of the transaction.
 */
export async function inRolledBackTransaction<Result>(db: Db, work: (db: Db) => Promise<Result>) {
  const transaction = await db.kysely.startTransaction().execute()
  try {
    return await work({ ...db, kysely: transaction })
  } finally {
    await transaction.rollback().execute()
  }
}

/** How to connect to a database whose address is known. */
type ConnectOptions = OpenOptions & {
  url: string
  /** Max pipelines; the pool gets the rest of the connections. */
  maxPipelines: number
  recover?: (() => Promise<void>) | undefined
}

// A thousand simple statements pass through ten connections in about a tenth of a second.
const waitingPerConnection = 100

function connect(options: ConnectOptions): OpenDatabase {
  const { url, recover, waitMs, onError, maxPipelines, poolSize: size = 10 } = options
  const { prepare = true, statementTimeoutMs = 15_000 } = options
  const pipelineCount = prepare ? Math.min(maxPipelines, Math.floor(size * pipelinedShare)) : 0
  const server = { url, statementTimeoutMs }
  const maxWaiting = size * waitingPerConnection
  const bounds = { size: size - pipelineCount, waitMs, maxWaiting }
  const pool = openConnectionPool({ ...server, ...bounds, recover, onError })
  const pipelines = new Pipelines({
    count: pipelineCount,
    config: connectionConfig(server),
    onError,
    onGiveUp: () => {
      pool.options.max = size
    },
  })
  const watch = createWriteWatch(pool, () => {
    pool.retire()
    pipelines.retire()
  })
  // Only the names of columns change: keys inside jsonb stay as they are stored.
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  const kyselyBy = (enter: Enter) =>
    new Kysely<Database>({
      dialect: new PostgresDialect({ pool: watched(pool, watch, enter) }),
      plugins,
    })
  const kysely = kyselyBy(async () => () => {})
  const turns = openFairQueue("connections", {
    ...{ places: bounds.size, maxWaiting },
    ...(waitMs !== undefined && { maxWaitMs: waitMs }),
  })
  // To make one takes as long as a small statement.
  const known = new LRUCache<string, Kysely<Database>, Party>({
    max: 1_000,
    memoMethod: (_key, _stale, { context }) => kyselyBy(() => turns.enter(context)),
  })
  return {
    kysely,
    kyselyOf: (party) => known.memo(`${party.owner} ${party.part}`, { context: party }),
    pool,
    pipelines,
    url,
    check: watch.check,
    run: hotRunner({ pool, pipelines, watch, prepare, onError }),
    beside: (more) =>
      connect({ ...options, waitMs: undefined, ...more, url: more.url ?? url, maxPipelines: 0 }),
    async close() {
      turns.close()
      await pipelines.close()
      await kysely.destroy()
      // Kysely ends a pool only if it has used it.
      if (!pool.ending) await pool.end()
    },
  }
}

/** Waits for a free connection, and resolves to its release; undefined: none. */
type Enter = () => ReturnType<FairQueue["enter"]>

/** What Kysely begins a transaction with: the second where it is of some isolation level. */
const beginning = /^(?:begin$|start transaction )/

/**
 * Wraps the pool for Kysely, which releases every connection as if it were sound. One whose server is
 * gone, silent or read-only is closed instead of being lent again.
 */
function watched(pool: Pool, watch: WriteWatch, enter: Enter): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const leave = await enter()
      if (leave === undefined) throw databaseBusy()
      const client = await pool.connect().catch((error) => {
        leave()
        throw error
      })
      let broken: Error | undefined
      let isInTransaction = false
      const query = async (text: string, values: readonly unknown[]) => {
        // Such as the rollback: a silent server would be waited for once more.
        if (broken) throw broken
        if (beginning.test(text)) isInTransaction = true
        const send = () => client.query(text, [...values])
        // Inside a transaction, an aborted statement takes those before it along.
        return (isInTransaction ? send() : retryContended(send)).catch((error: Error) => {
          const failure = failureOf(error)
          if (failure === "lost" || failure === "readOnly") broken = error
          watch.note(error)
          throw error
        })
      }
      // Kysely uses the other overloads only for cursors, which we do not use.
      const release = () => {
        client.release(broken)
        leave()
      }
      const lent = { query, release }
      return lent as unknown as PostgresPoolClient
    },
  }
}
