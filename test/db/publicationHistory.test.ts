/** The history of bots that were published before it was kept. */
import { cp, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { afterAll, expect, test } from "vitest"
import { listPublications, publish } from "../../src/db/bots/publications.ts"
import { listVersions } from "../../src/db/bots/versions.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { migrate, schemaFolder } from "../../src/db/schema/migrate.ts"
import { newId, newUuid } from "../../src/lib/ids.ts"
import { testDatabaseUrl } from "../support/database.ts"

const url = await testDatabaseUrl("empty")
const db = await openDatabase({ url, poolSize: 2 })
const { pool } = db
const folder = await mkdtemp(join(tmpdir(), "parley-history-"))
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})

/** The schema of the release before. */
for (const file of await readdir(schemaFolder())) {
  if (/^\d/.test(file) && file < "0024") await cp(join(schemaFolder(), file), join(folder, file))
}
await migrate(pool, folder)
await pool.query(`insert into workspaces (id, name) values ('w', 'W');
  insert into users (id, email) values ('ann', 'ann@example.com'), ('bob', 'bob@example.com')`)

async function newBot(): Promise<string> {
  const id = newId()
  await pool.query(
    "insert into bots (id, workspace_id, version, name) values ($1, 'w', '6', 'B')",
    [id],
  )
  return id
}

/** Publishes as the release before does: one statement, no history. */
async function publishAsBefore(botId: string, content: string, authorId: string): Promise<void> {
  const contentHash = Buffer.alloc(32, content)
  await sql`with bot as (
    select id from bots where id = ${botId} and not is_archived for update
  ), known as (
    select v.id, v.number from bot_versions v join bot on bot.id = v.bot_id
    where v.content_hash = ${contentHash}
  ), made as (
    insert into bot_versions
      (id, bot_id, number, author_id, schema_version, content_hash, payload)
    select ${newUuid()}::uuid, bot.id,
      (select coalesce(max(number), 0) + 1 from bot_versions where bot_id = bot.id),
      ${authorId}, '6', ${contentHash}, '{}'::jsonb
    from bot where not exists (select from known)
    on conflict do nothing
    returning id, number
  ), version as (
    select id, number from known union all select id, number from made
  )
  insert into published_bots (id, bot_id, version_id)
  select ${newId()}, ${botId}, version.id from version
  on conflict (bot_id) do update set version_id = excluded.version_id, updated_at = now()`.execute(
    db.kysely,
  )
}

const publishNow = (botId: string, content: string) =>
  publish(db, {
    botId,
    versionId: newUuid(),
    publishedBotId: newId(),
    publicId: newId(),
    authorId: "ann",
    schemaVersion: "6",
    contentHash: Buffer.alloc(32, content),
    payload: "{}",
  })

async function historyOf(botId: string) {
  const rows = await listPublications(db, { botId, limit: 50 })
  return rows.toReversed().map(({ kind, number, authorId }) => [kind, number, authorId])
}

const straight = await newBot()
const back = await newBot()
const off = await newBot()
const never = await newBot()
await publishAsBefore(straight, "1", "ann")
await publishAsBefore(straight, "2", "bob")
await publishAsBefore(back, "1", "ann")
await publishAsBefore(back, "2", "bob")
await publishAsBefore(back, "1", "bob")
await publishAsBefore(off, "1", "ann")
await pool.query("delete from published_bots where bot_id = $1", [off])
expect(await migrate(pool)).toContain("0024_publications")

test("what was published before is there as far as it is known", async () => {
  expect(await historyOf(straight)).toEqual([
    ["publish", 1, "ann"],
    ["publish", 2, "bob"],
  ])
  // Who went back to an earlier version was written down nowhere.
  expect(await historyOf(back)).toEqual([
    ["publish", 1, "ann"],
    ["publish", 2, "bob"],
    ["publish", 1, null],
  ])
  expect(await historyOf(off)).toEqual([["publish", 1, "ann"]])
  expect(await historyOf(never)).toEqual([])
  expect(await listVersions(db, { botId: back, limit: 50 })).toMatchObject([
    { number: 2, isLive: false, origin: "publish", liveUntil: expect.any(Date) },
    { number: 1, isLive: true, origin: "publish", liveUntil: null },
  ])
  await publishNow(straight, "3")
  expect(await historyOf(straight)).toEqual([
    ["publish", 1, "ann"],
    ["publish", 2, "bob"],
    ["publish", 3, "ann"],
  ])
})
