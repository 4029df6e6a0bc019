/** Flows in the database: they come back as they were written. */
import { createHash } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  type BotRow,
  findBot,
  findDraft,
  findGroups,
  insertBot,
  updateBot,
} from "../../src/db/bots/bots.ts"
import { publish } from "../../src/db/bots/publications.ts"
import { findPublication } from "../../src/db/bots/publishedBots.ts"
import type { VersionPayload } from "../../src/db/schema/versionTables.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { newId, newUuid } from "../../src/lib/ids.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const owner = { name: "user:ann", isAnonymous: false }
const { id: userId, call } = await newUser(db)
const { workspace } = await call.workspace.create({ name: "W" })

const place = { x: 0, y: 1.5 }
const group = (id: string, blocks: unknown[]) => ({
  id,
  title: id,
  graphCoordinates: place,
  blocks,
})
const say = (id: string, text: string) => ({ id, type: "text", content: { richText: [{ text }] } })
const words = "Žluťoučký 日本語 🙂 \\ \n\t\"'\u2028 "

const large: VersionPayload = {
  events: [{ id: "start", type: "start" }],
  groups: [
    group("empty", []),
    group(
      "many",
      Array.from({ length: 3_000 }, (_, n) => say(`block ${n}`, words)),
    ),
    group("long", [say("text", words.repeat(20_000)), say("after", "x")]),
    ...Array.from({ length: 300 }, (_, n) => group(`group ${n}`, [say("a", "b"), null, 5, "x"])),
  ],
  edges: Array.from({ length: 2_000 }, (_, n) => ({ id: `edge ${n}`, to: { groupId: "many" } })),
  variables: [{ id: "v", name: "V", value: words.repeat(10_000) }],
  theme: { customCss: words.repeat(2_000) },
  settings: { general: { isBrandingEnabled: true } },
}

const small: VersionPayload = {
  events: null,
  groups: [],
  edges: [],
  variables: [],
  theme: {},
  settings: {},
}

/** Stores a draft of the flow. */
async function store(flow: VersionPayload): Promise<BotRow> {
  const id = newId()
  return await insertBot(db, {
    id,
    workspaceId: workspace.id,
    version: "6.1",
    name: "Bot",
    ...flow,
  })
}

test.each([
  ["large", large],
  ["empty", small],
])("a draft that is %s is read as it was stored, by everybody who reads it", async (_, flow) => {
  const row = await store(flow)
  expect(row).toMatchObject(flow)
  const found = await findBot(db, { botId: row.id, userId })
  expect(found).toEqual({ ...row, ...flow, ...(await facts(row.id)) })
  const { version } = row
  expect(await findDraft(db, { botId: row.id, workspaceId: workspace.id, userId })).toEqual({
    version,
    ...flow,
  })
  expect(await findGroups(db, row.id)).toEqual(flow.groups)
})

async function facts(botId: string): Promise<object> {
  const found = await findBot(db, { botId, userId })
  const { role, collaboration, isShared, isBlocked, plan, isVerified } = found ?? {}
  return { role, collaboration, isShared, isBlocked, plan, isVerified }
}

test("stored groups are returned, with blocks or without", async () => {
  const stored = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record({ id: fc.string(), blocks: fc.jsonValue({ maxDepth: 3 }) }, { requiredKeys: [] }),
  )
  const clean = fc.array(stored, { maxLength: 6 }).filter((groups) => !hasNul(groups))
  await fc.assert(
    fc.asyncProperty(clean, async (groups) => {
      const { id } = await store({ ...small, groups })
      // jsonb knows neither -0 nor the order of members.
      expect(await findGroups(db, id)).toEqual(JSON.parse(JSON.stringify(groups)))
    }),
    { numRuns: 50 },
  )
})

function hasNul(value: unknown): boolean {
  return JSON.stringify(value).includes("\\u0000") || JSON.stringify(value).includes("\\ud")
}

test("a change returns what was given with what was stored, and writes only what was given", async () => {
  const { id } = await store(large)
  const precondition = { botId: id, version: "6.1" }
  const renamed = await updateBot(db, precondition, { name: "Other" })
  expect(renamed).toMatchObject({ name: "Other", ...large })
  const changes = { groups: [group("new", [])], variables: large.variables, theme: { a: words } }
  const changed = await updateBot(db, precondition, changes)
  expect(changed).toMatchObject({ name: "Other", ...large, ...changes })
  expect(await findBot(db, { botId: id, userId })).toMatchObject({ ...large, ...changes })
  expect(await updateBot(db, { ...precondition, version: "5" }, changes)).toBeUndefined()
})

test("a version is run and presented as it was published", async () => {
  const { id } = await store(small)
  expect(await findPublication(db, { botId: id, userId })).toMatchObject({ publication: undefined })
  const versionId = newUuid()
  await publish(db, {
    botId: id,
    versionId,
    publishedBotId: newId(),
    authorId: userId,
    schemaVersion: "6.1",
    contentHash: createHash("sha256").update("large").digest(),
    payload: JSON.stringify(large),
    publicId: `bot-${id}`,
  })
  const found = await findPublication(db, { botId: id, userId })
  expect(found?.publication).toMatchObject({ schemaVersion: "6.1", payload: large })
  const runnable = { ...large, groups: large.groups.slice(0, 3) }
  const flow = { version: "6.1", ...runnable } as never
  const preview = await createSnapshots(db).keepPreview(flow, id, owner)
  expect((await createSnapshots(db).loadPreview(preview.version))?.flow).toEqual(preview.flow)
  expect(await createSnapshots(db).loadPreview(`${"0".repeat(64)}:${id}`)).toBeUndefined()
})
