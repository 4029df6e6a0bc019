/** Versions are kept in memory by what they take there: small parts take twenty times their text. */
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import { insertBot } from "../../src/db/bots/bots.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { type Bot, prepareBot } from "../../src/engine/bot.ts"
import { newId } from "../../src/lib/ids.ts"
import { userParty } from "../../src/lib/party.ts"
import { createSums } from "../../src/results/createSums.ts"
import { presentAnalytics } from "../../src/results/presentAnalytics.ts"
import { readVersionsRun } from "../../src/results/versionsRun.ts"
import { ask, bot, group } from "../support/bots.ts"
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

/** A bot of which several versions have the same flow. */
async function insertVersions(payload: object, versions: number) {
  const botId = newId()
  const drawn = { ...members, groups: [] }
  await insertBot(db, { id: botId, workspaceId: workspace.id, version: "6.1", name: "B", ...drawn })
  const { rows } = await db.pool.query<{ id: string }>(
    `insert into bot_versions (id, bot_id, number, schema_version, content_hash, payload)
    select gen_random_uuid(), $1, n, '6.1', sha256(n::text::bytea), $2
    from generate_series(1, $3) n returning id`,
    [botId, JSON.stringify(payload), versions],
  )
  return { botId, rows }
}

test("versions of many small parts are forgotten before they fill the memory", async () => {
  const { rows } = await insertVersions(flow(100_000), 20)
  const snapshots = createSnapshots(db)
  const before = heldBytes()
  for (const { id } of rows) await snapshots.load(id)
  expect(heldBytes() - before).toBeLessThan(80_000_000)
  const loaded = await snapshots.load(rows.at(-1)?.id ?? "")
  expect(loaded?.bot.flow.groups[0]?.blocks).toHaveLength(1)
})

test("analytics of many versions hold the flow of one at a time", async () => {
  const { botId, rows } = await insertVersions({}, 6)
  const held: WeakRef<Bot>[] = []
  const counts: number[] = []
  const snapshots = {
    ...createSnapshots(db),
    async load(versionId: string) {
      await setImmediate()
      heldBytes()
      counts.push(held.filter((each) => each.deref()).length)
      const flow = bot(group("g", ask.choice(["Red"], { id: "colour" })))
      const prepared = prepareBot(flow, versionId, botId)
      held.push(new WeakRef(prepared))
      return { bot: prepared, workspaceId: workspace.id, party: userParty("") }
    },
  }
  const sums = createSums()
  const chosen = { part: "choices", block: "colour", name: "Red", count: 1 } as const
  for (const { id: versionId } of rows) {
    sums.add([{ botId, versionId, ...chosen }])
    sums.add([{ botId, versionId, part: "answers", name: "colour", count: 1 }])
    sums.add([{ botId, versionId, part: "startsAt", name: "0", count: 1 }])
  }
  const all = sums.all()
  const versions = await readVersionsRun(db, all, snapshots)
  const analytics = await presentAnalytics({ botId, counts: all, versions, dayAt: () => "today" })
  expect(analytics.blocks).toMatchObject([{ blockId: "colour", shown: 6, answered: 6 }])
  expect(analytics.answers).toEqual({ colour: [{ value: "Red", count: 6 }] })
  expect(analytics.byVersion.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1])
  expect(Math.max(...counts)).toBeLessThan(3)
})
