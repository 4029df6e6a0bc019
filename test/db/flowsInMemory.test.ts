/** Versions are kept in memory by what they take there: small parts take twenty times their text. */
import { expect, test } from "vitest"
import { insertBot } from "../../src/db/bots/bots.ts"
import { openSnapshots } from "../../src/effects/snapshots.ts"
import { newId } from "../../src/ids.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { heldBytes } from "../support/heap.ts"

const db = await testDatabase()
const { call } = await newUser(db)
const { workspace } = await call.workspace.create({ name: "W" })

const members = { events: null, edges: [], variables: [], theme: {}, settings: {} }
const flow = (parts: number) => ({
  groups: [{ id: "g", blocks: [{ id: "b", content: Array.from({ length: parts }, () => ({})) }] }],
  ...members,
})

test("versions of many small parts are forgotten before they fill the memory", async () => {
  const botId = newId()
  const drawn = { ...members, groups: [] }
  await insertBot(db, { id: botId, workspaceId: workspace.id, version: "6.1", name: "B", ...drawn })
  const { rows } = await db.pool.query<{ id: string }>(
    `insert into bot_versions (id, bot_id, number, schema_version, content_hash, payload)
    select gen_random_uuid(), $1, n, '6.1', sha256(n::text::bytea), $2
    from generate_series(1, 20) n returning id`,
    [botId, JSON.stringify(flow(100_000))],
  )
  const snapshots = openSnapshots(db)
  const before = heldBytes()
  for (const { id } of rows) await snapshots.load(id)
  expect(heldBytes() - before).toBeLessThan(80_000_000)
  const loaded = await snapshots.load(rows.at(-1)?.id ?? "")
  expect(loaded?.bot.flow.groups[0]?.blocks).toHaveLength(1)
})
