/** A database of its own for each test file: a clone of the migrated template, dropped afterwards. */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import {
  type OpenDatabase,
  type OpenOptions,
  openDatabase,
} from "../../src/db/connection/openDatabase.ts"
import {
  type Cluster,
  clusterFile,
  databaseUrl,
  dropDatabase,
  makeDatabase,
  type TestServers,
} from "./cluster.ts"
import { holdStatements } from "./statements.ts"
import { until } from "./waiting.ts"
import { whenOver } from "./whenOver.ts"

/** Where the run's server is, and the name of the template; waits until it has started. */
export async function testCluster(): Promise<TestServers> {
  const file = clusterFile()
  await until(() => existsSync(file))
  const cluster = JSON.parse(await readFile(file, "utf8")) as Cluster
  if ("error" in cluster) throw new Error(cluster.error)
  return cluster
}

/** URL of a fresh database, made from the template or empty; it lasts as long as the test or the file. */
export async function testDatabaseUrl(content: "migrated" | "empty" = "migrated"): Promise<string> {
  const servers = await testCluster()
  // Empty ones are for other schemas than that of this code.
  if (content === "migrated") holdStatements(servers.url)
  const name = `t_${randomBytes(8).toString("hex")}`
  await makeDatabase(servers, name, content === "migrated" ? servers.template : "template0")
  whenOver(() => dropDatabase(servers, name))
  return databaseUrl(servers.url, name)
}

/** A fresh migrated database, opened; it lasts as long as the test or the file. */
export async function testDatabase(options: OpenOptions = {}): Promise<OpenDatabase> {
  const url = await testDatabaseUrl()
  const database = await openDatabase({ poolSize: 5, ...options, url })
  // Named last, so it runs first.
  whenOver(() => database.close())
  return database
}
