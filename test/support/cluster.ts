/**
 * One PostgreSQL server for a run of the tests, with a migrated database to clone from. It starts
 * beside the first tests: those that need no database never wait for it.
 */
import { chmodSync, mkdtempSync } from "node:fs"
import { rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import type { TestProject } from "vitest/node"
import { createPool } from "../../src/db/connection/pool.ts"
import { migrate } from "../../src/db/schema/migrate.ts"
import { startEmbedded } from "../../src/postgres/start.ts"

/** What the tests of a run find in the file that `clusterFile` names. */
export type Cluster = { url: string; template: string } | { error: string }

declare module "vitest" {
  interface ProvidedContext {
    /** Path of a JSON file, a `Cluster`, that appears once the server is ready or has failed. */
    clusterFile: string
  }
}

const fastSettings = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]

/** Called by vitest before all tests; uses the server of TEST_DATABASE_URL instead, if that is set. */
export function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"))
  // For the account that runs the server when the tests run as root.
  chmodSync(folder, 0o755)
  const file = join(folder, "cluster.json")
  project.provide("clusterFile", file)
  const starting = start(folder).then(
    async ({ cluster, stop }) => {
      await announce(file, cluster)
      return stop
    },
    async (error: Error) => {
      await announce(file, { error: error.message })
      return async () => {}
    },
  )
  return async () => {
    const stop = await starting
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function start(folder: string): Promise<{ cluster: Cluster; stop: () => Promise<void> }> {
  const template = `parley_template_${process.pid}`
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) {
    await makeTemplate(given, template)
    return { cluster: { url: given, template }, stop: () => dropTemplate(given, template) }
  }
  const server = await startEmbedded({
    dataFolder: join(folder, "data"),
    settings: fastSettings,
    durable: false,
  })
  await makeTemplate(server.url, template)
  return { cluster: { url: server.url, template }, stop: () => server.stop() }
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await runAlone(url, `create database ${template}`)
  const pool = createPool({ url: databaseUrl(url, template), size: 1, statementTimeoutMs: 0 })
  await migrate(pool)
  await pool.end()
}

async function dropTemplate(url: string, template: string): Promise<void> {
  await runAlone(url, `drop database if exists ${template} with (force)`)
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

/** By renaming, so that nobody reads half a file. */
async function announce(file: string, cluster: Cluster): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(cluster))
  await rename(`${file}.new`, file)
}
