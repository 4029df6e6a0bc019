/** Two versions of the product side by side on one database, whose schema is the later one's. */
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { newToken } from "../../src/people/apiTokens.ts"
import { ask, bot, group } from "../support/bots.ts"
import { bring } from "../support/builtProduct.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { call, launch, productCopy } from "./product.ts"

const product = await productCopy()
const databaseUrl = await testDatabaseUrl("empty")
const pool = openConnectionPool({ url: databaseUrl, size: 1, statementTimeoutMs: 10_000 })
afterAll(() => pool.end())

const token = newToken()
const variables = {
  DATABASE_URL: databaseUrl,
  // Three processes at a time share a server with other tests.
  PARLEY_DB_POOL_SIZE: "4",
  PARLEY_DB_WAIT_MS: "10000",
  PARLEY_SECRET: "a secret that both versions know of",
  PARLEY_BOOTSTRAP_EMAIL: "ann@example.com",
  PARLEY_BOOTSTRAP_TOKEN: token,
}

const numbers = (await readdir(join(product, "schema"))).filter((name) => /^\d{4}_/.test(name))
const last = numbers.length
const padded = (number: number) => String(number).padStart(4, "0")

/** Every table gets a column that may be null and one that has a default; there is a new table. */
const expansion = `-- Made up by a test.
-- Compatible from: ${padded(last)}
do $$ declare t text; begin
  for t in select tablename from pg_tables
    where schemaname = 'public' and tablename <> 'parley_migrations'
  loop
    execute format('alter table %I add column later_note text', t);
    execute format('alter table %I add column later_rank int not null default 1', t);
  end loop;
end $$;
create table later_things (id text primary key, note text);
create index results_later on results (bot_id, later_rank);
`

const contraction = `-- Made up by a test.
drop table later_things;
`

/** A copy of the built product with one more migration. */
async function laterVersion(name: string, from: string, migration: string): Promise<string> {
  const folder = join(product, name)
  // Migrations are read at a start: without the sources, what was built is run as it is.
  await bring(["dist", "schema", "scripts", "openapi.json", "package.json"], from, folder)
  const number = (await readdir(join(folder, "schema"))).filter((file) => /^\d/.test(file)).length
  await writeFile(join(folder, `schema/${padded(number + 1)}_${name}.sql`), migration)
  return folder
}

const loop = bot(group("Ask", ask.text({ saves: "Word", to: "Ask" })))

async function publishLoop(address: string): Promise<string> {
  const { body: listed } = await call(`${address}/api/v1/workspaces`, { token })
  const [workspace] = listed.workspaces as { id: string }[]
  const sent = { workspaceId: workspace?.id, bot: loop }
  const { body } = await call(`${address}/api/v1/bots/import`, { token, body: sent })
  const { id } = body.bot as { id: string }
  const changes = { bot: { publicId: "loop" } }
  await call(`${address}/api/v1/bots/${id}`, { token, body: changes, method: "PATCH" })
  await call(`${address}/api/v1/bots/${id}/publish`, { token, body: {} })
  return id
}

async function startChat(address: string) {
  const { status, body } = await call(`${address}/api/v1/bots/loop/startChat`, { body: {} })
  expect(status).toBe(200)
  return { sessionId: String(body.sessionId), resultId: String(body.resultId) }
}

async function say(address: string, sessionId: string, message: string): Promise<void> {
  const url = `${address}/api/v1/sessions/${sessionId}/continueChat`
  expect(await call(url, { body: { message } })).toMatchObject({
    status: 200,
    body: { input: { type: "text input" } },
  })
}

async function answersOf(address: string, botId: string, resultId: string): Promise<string[]> {
  const url = `${address}/api/v1/bots/${botId}/results`
  const listed = await call(`${url}?limit=200`, { token })
  expect((listed.body.results as { id: string }[]).map(({ id }) => id)).toContain(resultId)
  const { body } = await call(`${url}/${resultId}`, { token })
  return (body.result as { answers: { content: string }[] }).answers.map(({ content }) => content)
}

/** Talks in a chat and in new ones, in both versions by turns; what was said comes back from both. */
async function talkBySides(addresses: readonly string[], botId: string): Promise<void> {
  // Many at once, so that every connection has met every statement.
  await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const at = (turn: number) => addresses[(index + turn) % addresses.length] ?? ""
      const { sessionId, resultId } = await startChat(at(0))
      const words = ["one", "two", "three", "four"]
      for (const [turn, word] of words.entries()) await say(at(turn + 1), sessionId, word)
      expect(await answersOf(at(0), botId, resultId)).toEqual(words)
    }),
  )
}

test("a version goes on, and starts again, on a schema that the next one has expanded", async () => {
  const old = launch(product, variables)
  const before = await old.ready()
  const botId = await publishLoop(before)
  const chat = await startChat(before)
  await say(before, chat.sessionId, "before")
  await talkBySides([before], botId)

  const next = launch(await laterVersion("expansion", product, expansion), variables)
  const beside = await next.ready()
  const { rows } = await pool.query(
    "select number, compatible_from from parley_migrations order by number desc limit 1",
  )
  expect(rows).toEqual([{ number: last + 1, compatible_from: last }])
  await say(before, chat.sessionId, "the old one goes on")
  await say(beside, chat.sessionId, "the next one takes over")
  await talkBySides([before, beside], botId)

  old.child.kill("SIGTERM")
  expect(await old.ended()).toEqual({ code: 0, signal: null })
  expect(old.stderr()).not.toMatch(/"level":(50|60|"error"|"fatal")/)
  const again = launch(product, variables)
  const after = await again.ready()
  await say(after, chat.sessionId, "the old one is back")
  await talkBySides([after, beside], botId)
  expect(await answersOf(after, botId, chat.resultId)).toEqual([
    "before",
    "the old one goes on",
    "the next one takes over",
    "the old one is back",
  ])
  for (const run of [again, next]) {
    run.child.kill("SIGTERM")
    expect(await run.ended()).toEqual({ code: 0, signal: null })
  }
})

test("a version does not start on a schema that does not say that it can", async () => {
  const expanded = join(product, "expansion")
  const contracted = launch(await laterVersion("contraction", expanded, contraction), variables)
  await contracted.ready()
  for (const folder of [product, expanded]) {
    const run = launch(folder, variables)
    expect(await run.ended()).toEqual({ code: 1, signal: null })
    expect(run.stdout()).toBe("")
    expect(run.stderr()).toBe(
      `Parley could not start. The database is newer than this version of Parley: it has migration ${padded(last + 2)}_contraction. Start the version that made it, or a later one. The only way back is a backup from before the update.\n`,
    )
  }
  contracted.child.kill("SIGTERM")
  expect(await contracted.ended()).toEqual({ code: 0, signal: null })
})
