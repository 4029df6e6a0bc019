/**
 * One PostgreSQL server for a run of the tests, with a migrated database to clone from. It starts
 * beside the first tests: those that need no database never wait for it.
 */
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { migrate, schemaFolder } from "../../src/db/schema/migrate.ts"
import { startEmbedded } from "../../src/postgres/startEmbedded.ts"
import { writeWhole } from "./writeWhole.ts"

/** What the tests of a run find in `clusterFile`. */
export type Cluster = TestServers | { error: string }

/** Where databases are made: on a server, and likewise on those that hold parts of its tables. */
export type TestServers = { url: string; workerUrls: string[]; template: string }

/** Path of a JSON file, a `Cluster`, that appears once the server is ready or has failed. */
export const clusterFile = (): string => join(tmpdir(), "cluster.json")

/** Whether the tables of the tests are spread over several servers. */
export const isOnCluster = (process.env.TEST_DATABASE_WORKERS ?? "") !== ""

const fastSettings = [
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  // Databases do not live long enough to be looked after.
  "autovacuum=off",
]

/**
 * Called by vitest before all tests; uses the server of TEST_DATABASE_URL instead, if that is set. With
 * addresses in TEST_DATABASE_WORKERS that one is the coordinator of a Citus cluster, and every
 * database of the tests is spread over these workers.
 */
export function setup(): () => Promise<void> {
  const announce = (cluster: Cluster) => writeWhole(clusterFile(), JSON.stringify(cluster))
  const starting = start().then(
    async ({ cluster, stop }) => {
      await announce(cluster)
      return stop
    },
    async (error: Error) => {
      await announce({ error: error.message })
      return async () => {}
    },
  )
  return async () => {
    const stop = await starting
    await stop()
  }
}

async function start(): Promise<{ cluster: Cluster; stop: () => Promise<void> }> {
  const template = `parley_template_${process.pid}`
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) {
    const workers = process.env.TEST_DATABASE_WORKERS ?? ""
    const workerUrls = workers.split(",").filter((url) => url !== "")
    const cluster = { url: given, workerUrls, template }
    await makeTemplate(cluster)
    return { cluster, stop: () => dropDatabase(cluster, template) }
  }
  const server = await startEmbedded({
    dataFolder: join(tmpdir(), "data"),
    settings: fastSettings,
    durable: false,
  })
  const cluster = { url: server.url, workerUrls: [], template }
  await makeTemplate(cluster)
  return { cluster, stop: () => server.stop() }
}

async function makeTemplate(servers: TestServers): Promise<void> {
  const { url, workerUrls, template } = servers
  await onEach(servers, `create database ${template}`)
  const templateUrl = databaseUrl(url, template)
  for (const each of workerUrls.length > 0 ? [url, ...workerUrls] : []) {
    await runAlone(databaseUrl(each, template), "create extension citus")
  }
  const pool = openConnectionPool({ url: templateUrl, size: 1, statementTimeoutMs: 0 })
  await migrate(pool)
  // Of scripts/sqlFaults.ts: a function without one of its conditions.
  const fault = process.env.TEST_DATABASE_FAULT
  if (fault !== undefined) await pool.query(fault)
  await pool.end()
  if (workerUrls.length === 0) return
  const { hostname, port } = new URL(url)
  await runAlone(templateUrl, `select citus_set_coordinator_host('${hostname}', ${port})`)
  for (const worker of workerUrls.map((each) => new URL(each))) {
    await runAlone(templateUrl, `select citus_add_node('${worker.hostname}', ${worker.port})`)
  }
  const distribute = join(schemaFolder(), "cluster", "distribute.sql")
  await runAlone(templateUrl, await readFile(distribute, "utf8"))
}

/** Makes a database from the template, or an empty one. */
export async function makeDatabase(
  servers: TestServers,
  name: string,
  source: string,
): Promise<void> {
  // The extension looks after every database by connections of its own, and comes back by itself.
  if (servers.workerUrls.length > 0) {
    await onEach(
      servers,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${source}'`,
    )
  }
  await onEach(servers, `create database ${name} template ${source} strategy file_copy`)
}

/** Drops a database if it exists. */
export async function dropDatabase(servers: TestServers, name: string): Promise<void> {
  // The extension connects again by itself, also between the end of its connection and that of the database.
  if (servers.workerUrls.length > 0)
    await onEach(servers, `alter database ${name} with allow_connections false`)
  await onEach(servers, `drop database if exists ${name} with (force)`)
}

async function onEach({ url, workerUrls }: TestServers, text: string): Promise<void> {
  await Promise.all([url, ...workerUrls].map((each) => runAlone(each, text)))
}

/** The same server's URL with another database. */
export function databaseUrl(url: string, database: string): string {
  return url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`)
}

/** Runs one statement on a connection of its own. */
export async function runAlone(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}
