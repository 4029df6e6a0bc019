/** PostgreSQL's own count: chats read no table of chats from end to end, however many rows it has. */
import pg from "pg"
import { expect, test } from "vitest"
import { testDatabaseUrl } from "../support/database.ts"
import { fill } from "../support/fill.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { converse, threeQuestionFlow } from "../support/threeQuestions.ts"
import { eventually } from "../support/waiting.ts"

const url = await testDatabaseUrl()

const tables = [
  "answers",
  "bot_versions",
  "bots",
  "chat_sessions",
  "idempotency",
  "logs",
  "published_bots",
  "result_steps",
  "results",
  "start_keys",
  "webhook_calls",
  "workspaces",
]

const chats = 10

type Scans = { sequential: number; byIndex: number }

const author = await testServer({ DATABASE_URL: url })
const flow = { ...threeQuestionFlow, settings: { general: { rememberUser: { isEnabled: true } } } }
const { botId, publicId } = await publishBot(author, flow)
await fill({ url, botId, results: 8_000 })

test("chats over REST never read a table from end to end", async () => {
  await author.stop()
  const before = await countScans()
  const server = await testServer({ DATABASE_URL: url, PARLEY_ROLE: "chat" })
  for (let count = 0; count < chats; count++) {
    await converse(server.address, publicId)
    const chat = await chatOver(server, publicId)
    await chat.say("Ann", { "idempotency-key": "k" })
    await chatOver(server, publicId, { resultId: chat.step.resultId })
  }
  await server.stop()
  const after = await countScans()
  for (const table of tables) {
    const [earlier, later] = [before[table], after[table]]
    expect([table, later?.sequential]).toEqual([table, earlier?.sequential])
  }
  expect(after.chat_sessions?.byIndex).toBeGreaterThanOrEqual(chats * 4)
  expect(after.bots?.byIndex).toBeGreaterThanOrEqual(chats * 3)
})

async function countScans(): Promise<Record<string, Scans>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // A connection tells what it counted at its end at the latest.
  await eventually(async () => {
    const others = await client.query(
      `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    )
    expect(others.rowCount).toBe(0)
  })
  const { rows } = await client.query(
    `select relname, seq_scan::int as sequential, coalesce(idx_scan, 0)::int as "byIndex"
    from pg_stat_user_tables where relname = any($1)`,
    [tables],
  )
  await client.end()
  expect(rows).toHaveLength(tables.length)
  return Object.fromEntries(rows.map(({ relname, ...scans }) => [relname, scans]))
}
