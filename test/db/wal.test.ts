/** How much write-ahead log a turn costs: on a server of its own, because the log has one end. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { startEmbedded } from "../../src/postgres/startEmbedded.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { converse, threeQuestionFlow, turnsPerConversation } from "../support/threeQuestions.ts"

const settings = ["fsync=off", "full_page_writes=off", "autovacuum=off"]
const conversations = 40

const dataFolder = await mkdtemp(join(tmpdir(), "parley-wal-"))
// For the account that runs the server when the tests run as root.
await chmod(dataFolder, 0o755)
const cluster = await startEmbedded({ dataFolder, durable: false, settings })
afterAll(async () => {
  await cluster.stop()
  await rm(dataFolder, { recursive: true, force: true })
})
const db = await openDatabase({ url: cluster.url, poolSize: 1 })
afterAll(() => db.close())
const server = await testServer({ DATABASE_URL: cluster.url })
const { publicId } = await publishBot(server, threeQuestionFlow)

test("a turn of a short conversation costs less than 3 kB of write-ahead log", async () => {
  // The first of all grows tables and indexes.
  for (let count = 0; count < 5; count++) await converse(server.address, publicId)
  const before = await writtenBytes()
  for (let count = 0; count < conversations; count++) await converse(server.address, publicId)
  const perTurn = ((await writtenBytes()) - before) / (conversations * turnsPerConversation)
  expect(perTurn).toBeGreaterThan(500)
  expect(perTurn).toBeLessThan(3_000)
})

async function writtenBytes(): Promise<number> {
  const { rows } = await db.pool.query(
    "select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes",
  )
  return rows[0].bytes
}
