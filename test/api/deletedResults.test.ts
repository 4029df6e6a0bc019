/** Tests of deleting results: what goes, what stays, and what cannot be hit by mistake. */
import { expect, test } from "vitest"
import { findSession, saveTurn, type TurnRows } from "../../src/db/chats/sessions.ts"
import { addLogs } from "../../src/db/results/results.ts"
import { newUuid } from "../../src/lib/ids.ts"
import type { Caller } from "../../src/people/caller.ts"
import { callerFor, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { insertDraft, insertPerson, insertTeam, recordChat } from "../support/people.ts"

const database = await testDatabase()
const as = (caller: Caller) => callerFor(database, caller).result

const owner = await insertPerson(database)
const workspaceId = await insertTeam(database, [[owner, "ADMIN"]])

test("a deleted result stays readable as an empty row, and its chat is over", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const logs = [{ id: newUuid(), status: "error", description: "No" }]
  const gone = await record(botId, { logs, step: { step: 0, edgeIds: ["e"] } })
  const kept = await record(botId)
  await as(owner).delete({ botId, resultIds: `${gone.resultId}, ${newUuid()},nonsense` })
  expect((await as(owner).get({ botId, resultId: gone.resultId })).result).toMatchObject({
    variables: [],
    answers: [],
    hasStarted: true,
    isArchived: true,
  })
  expect((await as(owner).listLogs({ botId, resultId: gone.resultId })).logs).toEqual([])
  for (const table of ["answers", "resultSteps", "logs", "chatSessions", "idempotency"] as const) {
    const query = database.kysely.selectFrom(table).select("resultId")
    expect(await query.where("resultId", "=", gone.resultId).execute()).toEqual([])
  }
  const { session } = await findSession(database, kept)
  expect(session).toBeDefined()
  expect((await as(owner).get({ botId, resultId: kept.resultId })).result.answers).toHaveLength(1)
})

test("results of other bots are passed over when deleting", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const otherBotId = await insertDraft(database, { workspaceId })
  const { resultId } = await record(otherBotId)
  expect(await as(owner).delete({ botId, resultIds: resultId })).toEqual({
    message: "success",
    count: 0,
  })
  await as(owner).delete({ botId, all: true })
  expect((await as(owner).list({ botId: otherBotId })).results).toHaveLength(1)
})

test("all go where that is said, in more than one batch, and are counted before and after", async () => {
  const botId = await insertDraft(database, { workspaceId })
  await Promise.all(Array.from({ length: 205 }, () => record(botId)))
  const count = async (request: object) =>
    (await as(owner).delete({ botId, all: true, ...request })).count
  expect(await count({ dryRun: true })).toBe(205)
  expect(await count({})).toBe(205)
  expect(await count({})).toBe(0)
  const left = await database.kysely
    .selectFrom("results")
    .select("isArchived")
    .where("botId", "=", botId)
    .execute()
  expect(left).toHaveLength(205)
  expect(left.every(({ isArchived }) => isArchived)).toBe(true)
})

test("ids that are empty or left out delete nothing, nor do ids beside all", async () => {
  const botId = await insertDraft(database, { workspaceId })
  await record(botId)
  for (const resultIds of [undefined, "", " ", ","]) {
    const call = as(owner).delete({ botId, resultIds })
    expect(await refusalOf(call)).toMatchObject({ code: "BAD_REQUEST" })
  }
  const both = as(owner).delete({ botId, resultIds: newUuid(), all: true })
  expect(await refusalOf(both)).toMatchObject({ code: "BAD_REQUEST" })
  expect((await as(owner).list({ botId })).results).toHaveLength(1)
})

test("a dry run counts the named results that are there, and deletes none", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const { resultId } = await record(botId)
  const request = { botId, resultIds: `${resultId},${newUuid()}` }
  expect(await as(owner).delete({ ...request, dryRun: true })).toHaveProperty("count", 1)
  expect((await as(owner).get({ botId, resultId })).result.answers).toHaveLength(1)
  expect(await as(owner).delete(request)).toHaveProperty("count", 1)
})

test("a turn that comes after the deletion writes nothing", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const { resultId, sessionId } = await record(botId)
  await as(owner).delete({ botId, all: true })
  const rows = { botId, versionId: newUuid(), answers: [{ idx: 9, blockId: "b", content: "late" }] }
  const turn = { resultId, sessionId, revision: 0, state: "{}", rows }
  expect(await saveTurn(database, turn)).toBe(false)
  expect((await as(owner).get({ botId, resultId })).result.answers).toEqual([])
})

test("lines of a client whose chat was found before the deletion are not stored after it", async () => {
  const botId = await insertDraft(database, { workspaceId })
  const { resultId, sessionId } = await record(botId)
  await as(owner).delete({ botId, all: true })
  const lines = [{ id: newUuid(), status: "error", description: "late" }]
  const added = await addLogs(database, { resultId, sessionId, lines, most: 10 })
  expect((await as(owner).listLogs({ botId, resultId })).logs).toEqual([])
  expect(added).toBe("over")
})

function record(botId: string, rows?: Partial<TurnRows>) {
  return recordChat(database, { botId, rows })
}
