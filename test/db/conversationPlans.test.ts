/** Plans of the statements of conversations (keys, endings, timers, news), and of purges. */
import { afterAll, expect, test } from "vitest"
import * as conversations from "../../src/db/chats/conversations.ts"
import * as sessionEvents from "../../src/db/chats/sessionEvents.ts"
import * as sessions from "../../src/db/chats/sessions.ts"
import * as timers from "../../src/db/chats/timers.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { listDeliveries, listDue, redeliver } from "../../src/db/events/deliveries.ts"
import * as purge from "../../src/db/results/purge.ts"
import { handOut } from "../../src/jobs/deliveries/handOut.ts"
import { firstUuidAt, newUuid } from "../../src/lib/ids.ts"
import { readResultPage } from "../../src/results/listResults.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { fill } from "../support/fill.ts"
import { hotNamesIn } from "../support/hotNames.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { threeQuestionFlow } from "../support/threeQuestions.ts"
import { explaining, plansIn, readsOf } from "./plans.ts"
import { openWireTap } from "./wireTap.ts"

const databaseUrl = await testDatabaseUrl()
const author = await testServer({ DATABASE_URL: databaseUrl })
const { botId } = await publishBot(author, threeQuestionFlow)
await fill({ url: databaseUrl, botId, results: 16_000 })
const tap = await openWireTap(databaseUrl, explaining)
afterAll(() => tap.close())
const db = await openDatabase({ url: tap.url, poolSize: 1 })
afterAll(() => db.close())

const { rows: samples } = await db.pool.query(
  `select r.result_id as "resultId", s.id as "sessionId"
  from results r join chat_sessions s on s.result_id = r.result_id
  where r.bot_id = $1 and has_started limit 1`,
  [botId],
)
const ids: sessions.ChatIds = samples[0]
const { resultId, sessionId } = ids

test("keys, endings, timers and notices of clients are found by an index", async () => {
  const key = { keyId: newUuid(), botId, key: "ann" }
  const next = { resultId: newUuid(), sessionId: "next" }
  tap.clear()
  expect(await conversations.insertConversation(db, { ...key, ...ids })).toEqual(ids)
  await conversations.replaceConversation(db, key.keyId, { over: sessionId, next })
  expect(await conversations.findConversation(db, key.keyId)).toEqual(next)
  await conversations.moveStartKey(db, newUuid(), { from: sessionId, to: next })
  await conversations.findEnding(db, ids)
  await conversations.listConversations(db, { botId, startAt: undefined, limit: 50 })
  await conversations.listAnsweredChats(db, { botId, startAt: undefined, limit: 50 })
  await conversations.listSessions(db, [resultId])
  await conversations.listRevisions(db, [resultId])
  await conversations.listEndings(db, [ids])
  const dueAt = new Date()
  await timers.listDueTimers(db, { limit: 100, without: { botIds: [], creatorIds: [] } })
  await timers.findDueTimer(db, ids)
  await timers.postponeTimer(db, { ...ids, dueAt }, 60)
  await timers.deleteTimer(db, ids)
  await sessionEvents.findNextEvent(db, { ...ids, after: newUuid() })
  await sessionEvents.listRecentEvents(db, [resultId])
  const conversation = { key: "ann", timer: 60, ended: "ended" as const }
  const told = [{ id: newUuid(), type: "t", data: {} }]
  const rows = {
    botId,
    versionId: newUuid(),
    conversation: { ...conversation, told, kept: [] },
  }
  await sessions.saveTurn(db, { ...ids, revision: 0, state: null, rows })

  const plans = plansIn(tap.notices)
  const texts = plans.map(({ text }) => text)
  const planned = tap.ran.filter(({ text }) => texts.includes(text)).map(({ name }) => name)
  const names = hotNamesIn("chats/conversations", "chats/sessionEvents", "chats/timers")
  expect(names.length).toBeGreaterThan(10)
  expect(planned).toEqual(expect.arrayContaining(names))
  for (const plan of plans) {
    for (const { table, index, isByIndex, passedOver } of readsOf(plan)) {
      const found = `${plan.text}\nreads ${table} by ${index ?? "nothing"}`
      expect(isByIndex, found).toBe(true)
      expect(passedOver, found).toBeLessThan(50)
    }
  }
})

test("results of a key are found by an index, and no others are looked at", async () => {
  tap.clear()
  const everyId = { fromId: firstUuidAt(0), beforeId: firstUuidAt(2 ** 48 - 1) }
  const filter = { botId, ...everyId, conversationKey: "key7" }
  expect((await readResultPage(db, filter, { limit: 20 })).results).toHaveLength(20)
  const reads = plansIn(tap.notices).flatMap(readsOf)
  expect(reads.map(({ index }) => index)).toContain("keyed_results_key")
  for (const { isByIndex, passedOver } of reads) {
    expect({ isByIndex, isFew: passedOver < 50 }).toEqual({ isByIndex: true, isFew: true })
  }
})

test("events of a turn, what is due of them, and what is listed", async () => {
  const id = newUuid()
  const event = { id: newUuid(), workspaceId: "space1", type: "answer.submitted", sequence: 1 }
  const rows = { botId, versionId: newUuid(), events: [{ ...event, payload: {} }] }
  tap.clear()
  const turn = { resultId, sessionId: id, revision: null, state: "{}", rows }
  expect(await sessions.saveTurn(db, turn)).toBe(true)
  await listDeliveries(db, { endpointId: "endpoint1", before: newUuid(), limit: 10 })
  const span = { fromId: firstUuidAt(0), beforeId: firstUuidAt(1) }
  await redeliver(db, { endpointId: "endpoint1", ...span })
  await listDue(db, { limit: 10, perEndpoint: 8, busy: [], underWay: [] })
  for (const plan of plansIn(tap.notices)) {
    for (const { table, isByIndex } of readsOf(plan)) {
      // There are few endpoints, and each may have something due.
      expect(isByIndex || table === "webhook_endpoints", plan.text).toBe(true)
    }
  }
})

const before = new Date(0)
const age = { before, beforeId: firstUuidAt(0) }
test.each([
  ["chat_sessions", () => purge.purgeOldSessions(db, age)],
  ["idempotency", () => purge.purgeExpired(db, "idempotency", before)],
  ["start_keys", () => purge.purgeExpired(db, "start_keys", before)],
  ["webhook_calls", () => purge.purgeExpired(db, "webhook_calls", before)],
  ["outbox", () => purge.purgeExpired(db, "outbox", before)],
  ["outbox", () => handOut(db, 10)],
  ["deliveries", () => purge.purgeExpired(db, "deliveries", before)],
])("what is old among %s", async (table, work) => {
  // A batch may be most of a small table; then the rest of the statement reads all of it.
  tap.clear()
  await work()
  const reads = plansIn(tap.notices).flatMap(readsOf)
  expect(reads).toContainEqual(expect.objectContaining({ table, isByIndex: true }))
})
