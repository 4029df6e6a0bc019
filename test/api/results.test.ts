/** Tests of reading and listing results: who may, which ones, and in what order. */
import { expect, test } from "vitest"
import type { TurnRows } from "../../src/db/chats/sessions.ts"
import { resultsListed } from "../../src/db/results/listing.ts"
import { firstUuidAt, newUuid } from "../../src/lib/ids.ts"
import type { Caller } from "../../src/people/caller.ts"
import { callerFor, refusalOf } from "../support/callers.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"
import { insertDraft, insertPerson, insertTeam, recordChat } from "../support/people.ts"

const database = await testDatabase()
const as = (caller: Caller) => callerFor(database, caller).result

const owner = await insertPerson(database)
const workspaceId = await insertTeam(database, [[owner, "ADMIN"]])

test("a result is read with its variables and answers", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const variables = [{ id: "v1", name: "Name", value: "Ann" }]
  const { resultId, sessionId } = await record(botId, {
    result: { variables, hasStarted: true, isCompleted: false },
    answers: [
      { idx: 0, blockId: "b1", content: "Ann", attachedFileUrls: [] },
      { idx: 1, blockId: "b2", content: "file", attachedFileUrls: ["https://example.com/f"] },
    ],
  })
  expect((await as(owner).get({ botId, resultId })).result).toEqual({
    id: resultId,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    botId,
    variables,
    isCompleted: false,
    hasStarted: true,
    isArchived: false,
    lastChatSessionId: sessionId,
    answers: [
      { blockId: "b1", content: "Ann" },
      { blockId: "b2", content: "file", attachedFileUrls: ["https://example.com/f"] },
    ],
  })
})

test("a result is only found at its own bot", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const otherBotId = await insertDraft(database, { workspaceId })
  const { resultId } = await record(otherBotId)
  for (const id of [resultId, newUuid(), "nonsense", resultId.toUpperCase()]) {
    const missing = { code: "NOT_FOUND", message: "Result not found" }
    expect(await refusalOf(as(owner).get({ botId, resultId: id }))).toMatchObject(missing)
    expect(await refusalOf(as(owner).listLogs({ botId, resultId: id }))).toMatchObject(missing)
  }
})

test("results of a suspended workspace are closed to all but platform admins", async () => {
  const team = await insertTeam(database, [[owner, "ADMIN"]])
  const botId = await insertDraft(database, { workspaceId: team, isShared: true })
  await record(botId)
  await database.kysely
    .updateTable("workspaces")
    .set({ isSuspended: true })
    .where("id", "=", team)
    .execute()
  expect(await refusalOf(as(owner).list({ botId }))).toMatchObject({ code: "NOT_FOUND" })
  const reader = await insertPerson(database)
  await database.kysely
    .insertInto("botCollaborators")
    .values({ botId, userId: reader.id, type: "READ" })
    .execute()
  expect(await refusalOf(as(reader).list({ botId }))).toMatchObject({ code: "NOT_FOUND" })
  const admin = await insertPerson(database, { isPlatformAdmin: true })
  expect((await as(admin).list({ botId })).results).toHaveLength(1)
})

test("only started results that are not archived are listed, newest first", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const first = await record(botId)
  await record(botId, { result: { variables: [], hasStarted: false, isCompleted: false } })
  const archived = await record(botId)
  const last = await record(botId)
  await as(owner).delete({ botId, resultIds: archived.resultId })
  const { results, nextCursor } = await as(owner).list({ botId })
  expect(results.map(({ id }) => id)).toEqual([last.resultId, first.resultId])
  expect(results[0]?.answers).toEqual([{ blockId: "b1", content: last.resultId }])
  expect(results[1]?.answers).toEqual([{ blockId: "b1", content: first.resultId }])
  expect(nextCursor).toBeUndefined()
})

test("pages follow each other without gaps or repetitions", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const ids: string[] = []
  for (let count = 0; count < 7; count++) ids.unshift((await record(botId)).resultId)
  const first = await as(owner).list({ botId, limit: 3 })
  // What comes and goes in between moves nothing.
  await record(botId)
  await as(owner).delete({ botId, resultIds: ids[3] })
  const second = await as(owner).list({ botId, limit: 3, cursor: first.nextCursor })
  expect(second.nextCursor).toBeUndefined()
  const seen = [...first.results, ...second.results].map(({ id }) => id)
  expect(seen).toEqual(ids.filter((id) => id !== ids[3]))
})

test("a page that is exactly full has no next one", async () => {
  const botId = await insertDraft(database, { workspaceId })
  await record(botId)
  await record(botId)
  expect(await as(owner).list({ botId, limit: 2 })).not.toHaveProperty("nextCursor")
  expect(await as(owner).list({ botId, limit: 1 })).toHaveProperty("nextCursor")
})

test("a page holds 1 to 500 results", async () => {
  const botId = await insertDraft(database, { workspaceId })
  for (const limit of [0, 501, 1.5]) {
    const call = as(owner).list({ botId, limit })
    expect(await refusalOf(call)).toMatchObject({ code: "BAD_REQUEST" })
  }
  expect((await as(owner).list({ botId, limit: 500 })).results).toEqual([])
})

test("lists look at the days that were asked for", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const now = new Date()
  const days = (count: number) => new Date(now.getTime() - count * 86_400_000)
  const fresh = await record(botId)
  const week = await record(botId, {}, days(5))
  const older = await record(botId, {}, days(20))
  const oldest = await record(botId, {}, days(800))
  const list = async (timeFilter?: "last30Days" | "allTime" | "today") =>
    (await as(owner).list({ botId, timeFilter })).results.map(({ id }) => id)
  const ids = [fresh, week, older, oldest].map(({ resultId }) => resultId)
  expect(await list("today")).toEqual(ids.slice(0, 1))
  expect(await list()).toEqual(ids.slice(0, 2))
  expect(await list("last30Days")).toEqual(ids.slice(0, 3))
  expect(await list("allTime")).toEqual(ids)
})

test("last month excludes this one, to the millisecond of the zone's midnight", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const now = new Date()
  // Phoenix keeps UTC-7 all year round.
  const phoenix = new Date(now.getTime() - 7 * 3_600_000)
  const midnight = Date.UTC(phoenix.getUTCFullYear(), phoenix.getUTCMonth(), 1, 7)
  await record(botId, {}, new Date(midnight))
  const inside = await record(botId, {}, new Date(midnight - 1))
  const list = { botId, timeFilter: "lastMonth", timeZone: "America/Phoenix" } as const
  const { results } = await as(owner).list(list)
  expect(results.map(({ id }) => id)).toEqual([inside.resultId])
})

test("an unknown time zone or filter is refused", async () => {
  const botId = await insertDraft(database, { workspaceId })
  for (const timeZone of ["Mars/Olympus", "", "+02:00"]) {
    const call = as(owner).list({ botId, timeZone })
    expect(await refusalOf(call)).toMatchObject({ code: "BAD_REQUEST" })
  }
})

test("lists are served by the index of listed results", async () => {
  const filter = { botId: "b", fromId: firstUuidAt(0), beforeId: newUuid() }
  const query = resultsListed(database, filter, { startAt: newUuid(), limit: 51 })
  const { sql, parameters } = query.compile()
  const client = await database.pool.connect()
  try {
    // In a table this small the planner finds the index of all results just as good.
    await client.query("begin")
    await client.query("drop index results_of_bot")
    await client.query("set local enable_seqscan = off")
    await client.query("set local enable_bitmapscan = off")
    const { rows } = await client.query(`explain ${sql}`, [...parameters])
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
    expect(plan).toMatch(/Index (Only )?Scan using results_listed/)
    // A cluster sorts what its servers have found.
    if (!isOnCluster) expect(plan).not.toContain("Sort")
  } finally {
    client.release(true)
  }
})

test("logs come in order with nulls for what was not said", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const logs = [
    { id: newUuid(), status: "error", description: "First", details: "d", context: "c" },
    { id: newUuid(), status: "info", description: "Second" },
  ]
  const { resultId } = await record(botId, { logs })
  expect((await as(owner).listLogs({ botId, resultId })).logs).toEqual([
    { ...logs[0], resultId, createdAt: expect.any(String) },
    { ...logs[1], resultId, createdAt: expect.any(String), details: null, context: null },
  ])
})

function record(botId: string, rows?: Partial<TurnRows>, startedAt?: Date) {
  return recordChat(database, { botId, rows, startedAt })
}
