/** Several people edit one draft at once, element by element. */
import { expect, test } from "vitest"
import { maxLengths } from "../../src/engine/schema/bounds.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { newVersionedBot } from "../support/versionedBot.ts"

const db = await testDatabase()

const put = (id: string, name: string) => [
  { type: "variable.put" as const, variable: { id, name } },
]

/** A bot that two people may edit. */
async function shared() {
  const { call, botId, workspaceId, write, publish } = await newVersionedBot(db)
  const other = await newUser(db)
  await db.kysely
    .insertInto("workspaceMembers")
    .values({ workspaceId, userId: other.id, role: "MEMBER" })
    .execute()
  const draft = async () => (await call.bot.get({ botId })).bot
  const names = async () => (await draft()).variables.map(({ name }) => name)
  return { ann: call.bot, bob: other.call.bot, me: call.user, botId, write, publish, draft, names }
}

test("edits of different elements merge, and each counts a revision", async () => {
  const { ann, bob, botId, names, draft } = await shared()
  const { revision } = await draft()
  expect(revision).toBe(1)
  expect(await ann.edit({ botId, revision, edits: put("a", "Ann's") })).toMatchObject({
    revision: 2,
  })
  expect(await bob.edit({ botId, revision, edits: put("b", "Bob's") })).toMatchObject({
    revision: 3,
  })
  expect(await names()).toEqual(["Said", "Ann's", "Bob's"])
})

test("an edit of changed elements is refused, with the elements, author and time", async () => {
  const { ann, bob, me, botId, names } = await shared()
  const both = [...put("a", "A"), ...put("c", "C")]
  const { updatedAt: at } = await ann.edit({ botId, revision: 1, edits: both })
  const refused = bob.edit({ botId, revision: 1, edits: [...put("b", "B"), ...both] })
  const { id, email } = await me.getMe()
  const elements = ["variable:a", "variable:c"]
  const data = { elements, by: { id, name: null, email }, at, revision: 2 }
  // Users without a name are shown by their address.
  const message = `${email} changed \`variable:a\` at ${at}`
  await expect(refused).rejects.toMatchObject({ cause: { reason: "STALE_DRAFT", message, data } })
  expect(await names()).toEqual(["Said", "A", "C"])
  await bob.edit({ botId, revision: 2, edits: put("a", "Bob's") })
  expect(await names()).toEqual(["Said", "Bob's", "C"])
})

test("an edge between removed elements is a 409, drawn or restored", async () => {
  const { ann, bob, botId, draft } = await shared()
  const { groups, events } = await draft()
  const groupId = groups[0]?.id ?? ""
  const edge = { id: "e", from: { eventId: events?.[0]?.id ?? "" }, to: { groupId } }
  const putEdge = { type: "edge.put" as const, edge }
  await ann.edit({ botId, revision: 1, edits: [putEdge] })
  await ann.edit({ botId, revision: 2, edits: [{ type: "edge.remove", edgeId: "e" }] })
  await bob.edit({ botId, revision: 3, edits: [{ type: "group.remove", groupId }] })
  const stale = { reason: "STALE_DRAFT", message: expect.stringMatching(`group:${groupId}\` at`) }
  const drawn = ann.edit({ botId, revision: 3, edits: [putEdge] })
  await expect(drawn).rejects.toMatchObject({ cause: stale })
  await expect(ann.undo({ botId, revision: 4 })).rejects.toMatchObject({ cause: stale })
})

test("of many edits at once each is stored or refused", async () => {
  const { ann, bob, botId, names, draft } = await shared()
  const ids = Array.from({ length: 10 }, (_, index) => `v${index}`)
  const sent = ids.map((id, index) =>
    (index % 2 ? ann : bob).edit({ botId, revision: 1, edits: put(id, id) }),
  )
  const revisions = (await Promise.all(sent)).map(({ revision }) => revision)
  expect(revisions.sort((one, other) => one - other)).toEqual(ids.map((_, index) => index + 2))
  expect((await names()).slice(1).sort()).toEqual(ids)
  const same = await Promise.allSettled(
    [ann, bob].map((who) => who.edit({ botId, revision: 11, edits: put("v0", "one") })),
  )
  expect(same.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  expect((await draft()).revision).toBe(12)
})

test("a repeated request changes nothing and gets the same answer", async () => {
  const { ann, botId, draft } = await shared()
  const request = { botId, revision: 1, changeId: "c1", edits: put("a", "A") }
  const first = await ann.edit(request)
  expect(await ann.edit(request)).toEqual(first)
  const racing = { ...request, changeId: "c2", revision: 2 }
  const [one, two] = await Promise.all([ann.edit(racing), ann.edit(racing)])
  expect(one).toEqual(two)
  expect((await draft()).revision).toBe(3)
})

test("a first publication, which gives the bot its address, is in the way of no edit and no undo", async () => {
  const { ann, bob, botId, publish, draft, names } = await shared()
  await ann.edit({ botId, revision: 1, edits: put("a", "A") })
  await publish()
  const { publicId } = await draft()
  expect(publicId).not.toBeNull()
  await bob.edit({ botId, revision: 2, edits: put("b", "B") })
  await ann.undo({ botId, revision: 2 })
  expect(await names()).toEqual(["Said", "B"])
  await expect(ann.undo({ botId, revision: 5 })).rejects.toThrow("no edit to undo")
  const address = { type: "bot.set" as const, publicId: "other" }
  const late = bob.edit({ botId, revision: 2, edits: [address] })
  await expect(late).rejects.toThrow("changed `bot.publicId`")
  expect(await draft()).toMatchObject({ publicId, revision: 5 })
})

test("a change of the whole draft is in the way of every edit before it, to make and to take back", async () => {
  const { ann, botId, write } = await shared()
  await ann.edit({ botId, revision: 1, edits: put("a", "A") })
  const { revision } = await write("second")
  await expect(ann.undo({ botId, revision })).rejects.toThrow("no longer be taken back")
  await expect(ann.undo({ botId, revision: 2 })).rejects.toThrow("read it again")
  const late = { botId, revision: revision - 1, edits: put("a", "A") }
  await expect(ann.edit(late)).rejects.toHaveProperty("cause.data.revision", revision)
  await ann.edit({ ...late, revision })
})

test("undoing everything gives the first draft, and redoing the last", async () => {
  const { ann, botId, draft } = await shared()
  const content = async () => {
    const { revision, updatedAt, ...others } = await draft()
    return others
  }
  const first = await content()
  const [group] = first.groups
  await ann.edit({ botId, revision: 1, edits: put("a", "A") })
  await ann.edit({
    botId,
    revision: 2,
    edits: [{ type: "group.remove", groupId: group?.id ?? "" }],
  })
  await ann.edit({ botId, revision: 3, edits: [{ type: "bot.set", name: "New" }] })
  const last = await content()
  for (const revision of [4, 5, 6]) await ann.undo({ botId, revision })
  expect(await content()).toEqual(first)
  await expect(ann.undo({ botId, revision: 7 })).rejects.toThrow("no edit to undo")
  for (const revision of [7, 8, 9]) await ann.redo({ botId, revision })
  expect(await content()).toEqual(last)
  await expect(ann.redo({ botId, revision: 10 })).rejects.toThrow("no undo")
  await ann.undo({ botId, revision: 10 })
  await ann.edit({ botId, revision: 11, edits: put("b", "B") })
  await expect(ann.redo({ botId, revision: 12 })).rejects.toThrow("no undo")
})

test("undoing everything in turn gives the first draft, for any order of authors", async () => {
  const { ann, bob, botId, names } = await shared()
  const turns = [ann, bob, ann, bob, bob, ann]
  for (const [index, who] of turns.entries())
    await who.edit({ botId, revision: index + 1, edits: put("a", `Name ${index}`) })
  let revision = 7
  const step = async (who: typeof ann, way: "undo" | "redo") => {
    revision = (await who[way]({ botId, revision })).revision
  }
  await step(ann, "undo")
  // The others stand in the way, who have not taken back theirs.
  await expect(ann.undo({ botId, revision })).rejects.toThrow("`variable:a`")
  await step(bob, "undo")
  await step(bob, "redo")
  await expect(ann.undo({ botId, revision })).rejects.toThrow("`variable:a`")
  for (const who of [bob, bob, ann, bob, ann]) await step(who, "undo")
  expect(await names()).toEqual(["Said"])
})

test("an undo takes back only the caller's own, and not what others built on", async () => {
  const { ann, bob, botId, names } = await shared()
  await ann.edit({ botId, revision: 1, edits: put("a", "Ann's") })
  await bob.edit({ botId, revision: 2, edits: put("b", "Bob's") })
  await ann.undo({ botId, revision: 3 })
  expect(await names()).toEqual(["Said", "Bob's"])
  await ann.edit({ botId, revision: 4, edits: put("b", "Ann's now") })
  await expect(bob.undo({ botId, revision: 5 })).rejects.toThrow("`variable:b`")
})

test("what cannot be done is a 400 that names the edit, and stores nothing", async () => {
  const { ann, botId, draft } = await shared()
  const edits = [...put("a", "A"), { type: "group.remove" as const, groupId: "none" }]
  await expect(ann.edit({ botId, revision: 1, edits })).rejects.toMatchObject({
    cause: { reason: "BAD_REQUEST", issues: [{ path: ["edits", 1] }] },
  })
  await expect(ann.edit({ botId, revision: 9, edits: put("a", "A") })).rejects.toThrow("revision 1")
  expect((await draft()).revision).toBe(1)
})

test("the history says who touched what, page by page", async () => {
  const { ann, bob, botId } = await shared()
  await ann.edit({ botId, revision: 1, edits: put("a", "A") })
  await bob.edit({ botId, revision: 2, edits: put("b", "B") })
  const page = await ann.listEdits({ botId, limit: 1 })
  expect(page.edits).toMatchObject([{ revision: 3, kind: "edit", elements: ["variable:b"] }])
  const rest = await bob.listEdits({ botId, limit: 1, cursor: page.nextCursor })
  expect(rest.edits).toMatchObject([{ revision: 2, elements: ["variable:a"] }])
  expect(rest.nextCursor).toBeUndefined()
})

test("an undo takes back every edit that was accepted, however many edits that takes", async () => {
  const { ann, botId, draft } = await shared()
  const many = Array.from({ length: 300 }, (_, index) => `many ${index}`)
  const at = { title: "T", graphCoordinates: { x: 0, y: 0 } }
  const blocks = many.map((id) => ({ id, type: "text" as const, outgoingEdgeId: `from ${id}` }))
  const edges = ["from", "to"].flatMap((way) =>
    many.map((id) => ({
      id: `${way} ${id}`,
      from: { blockId: id },
      to: { groupId: "g", blockId: id },
    })),
  )
  const before = (await draft()).groups
  const { bot: written } = await ann.update({
    botId,
    bot: { groups: [...before, { id: "g", ...at, blocks }], edges },
  })
  await ann.edit({ botId, revision: 2, edits: [{ type: "group.remove", groupId: "g" }] })
  expect((await draft()).edges).toEqual([])
  const { rows } = await db.pool.query(
    "select jsonb_array_length(inverses) as many from bot_edits where bot_id = $1",
    [botId],
  )
  expect(rows[0].many).toBeGreaterThan(500)
  await ann.undo({ botId, revision: 3 })
  const { groups, edges: back } = await draft()
  expect({ groups, edges: back }).toEqual({ groups: written.groups, edges: written.edges })
})

test("texts are bounded as those of a whole draft are", async () => {
  const { ann, botId, draft } = await shared()
  const variable = { id: "a", name: "N".repeat(maxLengths.name + 1) }
  const refused = ann.edit({ botId, revision: 1, edits: [{ type: "variable.put", variable }] })
  await expect(refused).rejects.toMatchObject({
    cause: { issues: [{ path: ["edits", 0, "variable", "name"] }] },
  })
  expect((await draft()).revision).toBe(1)
})

/** The revisions of the edits that are kept, the first, the last and how many. */
async function kept(botId: string) {
  const { rows } = await db.pool.query(
    "select min(revision) as first, max(revision) as last, count(*)::int as count from bot_edits where bot_id = $1",
    [botId],
  )
  return rows[0]
}

test("of each bot 10,000 edits are kept, and 64 MB of them", async () => {
  const { ann, botId } = await shared()
  const fill = async (count: number, bytes: number) => {
    await db.pool.query(
      `insert into bot_edits (bot_id, revision, kind, edits, inverses, elements, bytes)
      select id, revision + n, 'edit', '[]', '[]', '[]', $2 from bots, generate_series(1, $3) n where id = $1`,
      [botId, bytes, count],
    )
    const last = "update bots set revision = revision + $2 where id = $1 returning revision"
    const { rows } = await db.pool.query(last, [botId, count])
    return rows[0].revision as number
  }
  const revision = await fill(10_000, 6)
  await ann.edit({ botId, revision, edits: put("a", "A") })
  expect(await kept(botId)).toEqual({ first: 3, last: 10_002, count: 10_000 })
  const large = await fill(10, 8 * 1024 * 1024)
  const edits = Array.from({ length: 50 }, (_, n) => put(`v${n}`, "N".repeat(255))).flat()
  await ann.edit({ botId, revision: large, edits })
  expect(await kept(botId)).toMatchObject({ last: large + 1, count: 8 })
  await ann.undo({ botId, revision: large + 1 })
})

test("edits are kept for 30 days", async () => {
  const { ann, botId } = await shared()
  await ann.edit({ botId, revision: 1, edits: put("a", "A") })
  await ann.edit({ botId, revision: 2, edits: put("b", "B") })
  await db.pool.query(
    "update bot_edits set created_at = now() - interval '31 days' where bot_id = $1 and revision = 2",
    [botId],
  )
  await runJob(db, "purge_edits")
  expect(await kept(botId)).toEqual({ first: 3, last: 3, count: 1 })
  await expect(ann.edit({ botId, revision: 1, edits: put("c", "C") })).rejects.toHaveProperty(
    "cause.data.revision",
    3,
  )
})

test("a draft cannot grow beyond what one PATCH could store", async () => {
  const { ann, botId, draft } = await shared()
  const id = "g"
  const group = { id, title: "G", graphCoordinates: { x: 0, y: 0 }, blocks: [] }
  await ann.edit({ botId, revision: 1, edits: [{ type: "group.put", group }] })
  const large = (block: string) => ({
    type: "block.put" as const,
    groupId: id,
    block: { id: block, type: "text", content: { plainText: "x".repeat(100_000) } } as never,
  })
  const ids = (name: string) => Array.from({ length: 21 }, (_, index) => `large ${name} ${index}`)
  await ann.edit({ botId, revision: 2, edits: ids("a").map(large) })
  await expect(ann.edit({ botId, revision: 3, edits: ids("b").map(large) })).rejects.toThrow("4 MB")
  await ann.undo({ botId, revision: 3 })
  expect((await draft()).groups.at(-1)?.blocks).toEqual([])
})

test("a draft cannot gain more values than a PATCH may have, however short they are", async () => {
  const { ann, botId } = await shared()
  const content = { marks: Array.from({ length: 110_000 }, () => ({})) }
  const put = (revision: number) => {
    const block = { id: `many ${revision}`, type: "hologram", content } as never
    const group = { id: `${revision}`, title: "G", graphCoordinates: { x: 0, y: 0 } }
    const edits = [{ type: "group.put" as const, group: { ...group, blocks: [block] } }]
    return ann.edit({ botId, revision, edits })
  }
  await put(1)
  await put(2)
  await expect(put(3)).rejects.toThrow("too many values")
})

test("what would undo an edit has a bound, however short the edit is", async () => {
  const { ann, botId } = await shared()
  // An edge that takes the place of another one brings back the whole block.
  const members = { items: [{ id: "item" }], text: "x".repeat(100_000) }
  const block = { id: "menu", type: "hologram", ...members } as never
  const group = { id: "g", title: "G", graphCoordinates: { x: 0, y: 0 }, blocks: [block] }
  const from = { blockId: "menu", itemId: "item" }
  const put = (id: number) => ({
    type: "edge.put" as const,
    edge: { id: `${id}`, from, to: { groupId: "g" } },
  })
  const edits = Array.from({ length: 200 }, (_, id) => put(id))
  await ann.edit({ botId, revision: 1, edits: [{ type: "group.put", group }] })
  await expect(ann.edit({ botId, revision: 2, edits })).rejects.toThrow("The undo of these edits")
  await ann.edit({ botId, revision: 2, edits: edits.slice(0, 100) })
  await ann.undo({ botId, revision: 3 })
})

test("what the workspace may not have is left out of an edit, and of what it stores of it", async () => {
  const { ann, botId, draft } = await shared()
  const [group] = (await draft()).groups
  const options = { credentialsId: "somebody-elses", task: "Create chat completion" }
  const block = { id: "ai", type: "openai", options } as never
  await ann.edit({
    botId,
    revision: 1,
    edits: [{ type: "block.put", groupId: group?.id ?? "", block }],
  })
  expect(JSON.stringify((await draft()).groups)).not.toContain("somebody-elses")
  const { rows } = await db.pool.query("select * from bot_edits where bot_id = $1", [botId])
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain("somebody-elses")
})

test("a block that is put decides whether results store its variable, as in a PATCH", async () => {
  const { ann, botId, draft } = await shared()
  const said = { id: "said", type: "Set variable" as const }
  const asked = { id: "asked", type: "text input" as const, options: { variableId: "a" } }
  const { groups } = await draft()
  const groupId = groups[0]?.id ?? ""
  const flags = async () => {
    const { variables } = await draft()
    return ["t", "a"].map((id) => variables.find((each) => each.id === id)?.isSessionVariable)
  }
  const answer = { id: "a", name: "Answer", isSessionVariable: true }
  const variables = [...put("t", "Talk"), { type: "variable.put" as const, variable: answer }]
  await ann.edit({ botId, revision: 1, edits: variables })
  expect(await flags()).toEqual([undefined, true])
  const transcript = { ...said, options: { type: "Transcript" as const, variableId: "t" } }
  const blocks = [transcript, asked].map((block) => ({
    type: "block.put" as const,
    groupId,
    block,
  }))
  await ann.edit({ botId, revision: 2, edits: blocks })
  expect(await flags()).toEqual([true, false])
  await ann.undo({ botId, revision: 3 })
  expect(await flags()).toEqual([undefined, true])
})

test("what another process wrote meanwhile is edited, not what this one remembers", async () => {
  const { ann, bob, botId, names } = await shared()
  // Each remembers drafts of its own, as two processes do.
  await ann.edit({ botId, revision: 1, edits: put("a", "A") })
  await bob.edit({ botId, revision: 2, edits: put("b", "B") })
  await ann.edit({ botId, revision: 3, edits: put("c", "C") })
  await bob.update({ botId, bot: { variables: [] } })
  await ann.edit({ botId, revision: 5, edits: put("d", "D") })
  expect(await names()).toEqual(["D"])
})
