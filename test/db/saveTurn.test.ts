/** save_turn: everything one turn writes, or nothing. */
import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { findSession, saveTurn } from "../../src/db/chats/sessions.ts"
import { violatedConstraint } from "../../src/db/connection/databaseFailures.ts"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"
import { answersOf, openingTurn, resultOf, stateOf } from "../support/turns.ts"

const db = await testDatabase()
// Statistics are counted per connection, so one that is alone sees all of them.
const single = await testDatabase({ poolSize: 1 })
// Some connections hold locks while others run into them.
const crowd = await testDatabase({ poolSize: 10 })
const hash = createHash("sha256").update("{}").digest()

describe("the session", () => {
  test("opens at revision 0 and grows by one with every turn", async () => {
    const turn = openingTurn()
    expect(await saveTurn(db, turn)).toBe(true)
    expect(await stateOf(db, turn)).toEqual(['{"v":1}', 0])
    expect(await saveTurn(db, { ...turn, revision: 0, state: "two" })).toBe(true)
    expect(await saveTurn(db, { ...turn, revision: 1, state: "three" })).toBe(true)
    expect(await stateOf(db, turn)).toEqual(["three", 2])
  })

  test("opens once: a second opening of the same ids writes nothing", async () => {
    const turn = openingTurn()
    await saveTurn(db, turn)
    const answers = [{ idx: 0, blockId: "b", content: "lost" }]
    const again = { ...turn, state: "other", rows: { ...turn.rows, answers } }
    expect(await saveTurn(db, again)).toBe(false)
    expect(await stateOf(db, turn)).toEqual(['{"v":1}', 0])
    expect(await answersOf(db, turn.resultId)).toEqual([])
  })

  test("goes when the chat is over, and a turn after that writes nothing", async () => {
    const turn = openingTurn()
    await saveTurn(db, turn)
    expect(await saveTurn(db, { ...turn, revision: 0, state: null })).toBe(true)
    expect(await stateOf(db, turn)).toBeUndefined()
    expect(await saveTurn(db, { ...turn, revision: 0, state: null })).toBe(false)
    expect(await saveTurn(db, { ...turn, revision: 1, state: "back" })).toBe(false)
  })

  test("goes by the turn that read its newest revision, in the session of that turn", async () => {
    const turn = openingTurn()
    const beside = { ...turn, sessionId: newSessionId(turn.resultId) }
    const elsewhere = { ...openingTurn(), sessionId: turn.sessionId }
    for (const each of [turn, beside, elsewhere]) await saveTurn(db, each)
    await saveTurn(db, { ...turn, revision: 0, state: "two" })
    const answers = [{ idx: 0, blockId: "b", content: "lost" }]
    const late = { ...turn, revision: 0, state: null, rows: { ...turn.rows, answers } }
    expect(await saveTurn(db, late)).toBe(false)
    expect(await stateOf(db, turn)).toEqual(["two", 1])
    expect(await answersOf(db, turn.resultId)).toEqual([])
    for (const each of [beside, elsewhere]) {
      await saveTurn(db, { ...each, revision: 0, state: "beside" })
    }
    expect(await saveTurn(db, { ...turn, revision: 1, state: null })).toBe(true)
    for (const each of [beside, elsewhere]) expect(await stateOf(db, each)).toEqual(["beside", 1])
  })

  test("takes a turn alone, from its newest revision", async () => {
    const turn = openingTurn()
    const beside = { ...turn, sessionId: newSessionId(turn.resultId) }
    const elsewhere = { ...openingTurn(), sessionId: turn.sessionId }
    for (const each of [turn, beside, elsewhere]) await saveTurn(db, each)
    expect(await saveTurn(db, { ...turn, revision: 1, state: "early" })).toBe(false)
    expect(await saveTurn(db, { ...turn, revision: 0, state: "two" })).toBe(true)
    expect(await saveTurn(db, { ...turn, revision: 0, state: "late" })).toBe(false)
    expect(await stateOf(db, turn)).toEqual(["two", 1])
    for (const each of [beside, elsewhere]) expect(await stateOf(db, each)).toEqual(['{"v":1}', 0])
  })

  test("is not kept when the chat ends within its first turn", async () => {
    const turn = openingTurn()
    const result = { variables: [], hasStarted: false, isCompleted: false }
    expect(await saveTurn(db, { ...turn, state: null, rows: { ...turn.rows, result } })).toBe(true)
    expect(await stateOf(db, turn)).toBeUndefined()
    expect(await resultOf(db, turn.resultId)).toMatchObject({ lastChatSessionId: turn.sessionId })
  })

  test("takes the version and the expiry of its newest turn", async () => {
    const turn = openingTurn()
    await saveTurn(db, turn)
    const versionId = newUuid()
    const turnUntil = (expiresAt: string) => ({ botId: "bot1", versionId, expiresAt })
    const { resultId, sessionId } = turn
    const address = { resultId, sessionId }
    const later = turnUntil("2131-02-03T04:05:06.789Z")
    await saveTurn(db, { ...turn, revision: 0, state: "two", rows: later })
    const open = await findSession(db, address)
    expect(open.session).toMatchObject({ versionId, isExpired: false })
    const earlier = turnUntil("2001-02-03T04:05:06.789Z")
    await saveTurn(db, { ...turn, revision: 1, state: "three", rows: earlier })
    const over = await findSession(db, address)
    expect(over.session).toMatchObject({ state: "three", isExpired: true })
  })

  test("is not written by a turn that changes nothing of it", async () => {
    const turn = openingTurn()
    await saveTurn(db, turn)
    expect(await resultOf(db, turn.resultId)).toBeUndefined()
  })

  test("remembers the newest of several sessions", async () => {
    const turn = openingTurn()
    const result = { variables: [], hasStarted: false, isCompleted: false }
    const rows = { ...turn.rows, result }
    await saveTurn(db, { ...turn, rows })
    const sessionId = newSessionId(turn.resultId)
    expect(await saveTurn(db, { ...turn, sessionId, rows })).toBe(true)
    expect(await resultOf(db, turn.resultId)).toMatchObject({ lastChatSessionId: sessionId })
  })
})

describe("a chat that begins with a result", () => {
  const result = { variables: [], hasStarted: false, isCompleted: false }
  const begin = async (
    isArchived?: boolean,
    continues: true | "earlier" | undefined = undefined,
  ) => {
    const turn = openingTurn()
    if (isArchived !== undefined) {
      await saveTurn(db, { ...turn, rows: { ...turn.rows, result } })
      await db.kysely
        .updateTable("results")
        .set({ isArchived })
        .where("resultId", "=", turn.resultId)
        .execute()
    }
    const sessionId = newSessionId(turn.resultId)
    const rows = { ...turn.rows, continues, result }
    const next = { ...turn, sessionId, rows }
    return { isSaved: await saveTurn(db, next), state: await stateOf(db, next) }
  }
  const saved = { isSaved: true, state: ['{"v":1}', 0] }
  const refused = { isSaved: false, state: undefined }

  test("goes on with one that is there, and with none that is archived", async () => {
    // Another result that is archived decides nothing.
    await begin(true)
    for (const continues of [true, "earlier"] as const) {
      expect(await begin(false, continues)).toEqual(saved)
      expect(await begin(true, continues)).toEqual(refused)
    }
  })

  test("makes one that is not there, unless there was one", async () => {
    await begin(false)
    expect(await begin(undefined, true)).toEqual(saved)
    expect(await begin(undefined, "earlier")).toEqual(refused)
    expect(await begin(undefined)).toEqual(saved)
  })

  test("looks at none that it does not go on with", async () => {
    expect(await begin(true)).toEqual(saved)
  })

  test.skipIf(isOnCluster)(
    "lets the result be archived before or after, not meanwhile",
    async () => {
      const turn = openingTurn()
      await saveTurn(crowd, { ...turn, rows: { ...turn.rows, result } })
      const [client, other] = [await crowd.pool.connect(), await crowd.pool.connect()]
      try {
        await client.query("begin")
        const rows = JSON.stringify({ ...turn.rows, continues: true })
        const values = [turn.resultId, newSessionId(turn.resultId), "{}", rows]
        await client.query("select save_turn($1, $2, null, $3, $4, null, null, null)", values)
        await other.query("set lock_timeout = '200ms'")
        const archive = "update results set is_archived = true where result_id = $1"
        await expect(other.query(archive, [turn.resultId])).rejects.toThrow(/lock timeout/)
      } finally {
        await client.query("rollback")
        await other.query("reset lock_timeout")
        for (const each of [client, other]) each.release()
      }
    },
  )
})

describe("what happens to a conversation", () => {
  const rowsOf = async (
    table: "timers" | "endedChats" | "keyedResults",
    { resultId }: { resultId: string },
  ) => db.kysely.selectFrom(table).selectAll().where("resultId", "=", resultId).execute()

  test("sets one timer, which ends with the chat and no other", async () => {
    const turn = openingTurn()
    const beside = { ...turn, sessionId: newSessionId(turn.resultId) }
    const elsewhere = { ...openingTurn(), sessionId: turn.sessionId }
    for (const each of [turn, beside, elsewhere]) {
      await saveTurn(db, { ...each, rows: { ...each.rows, conversation: { timer: 60 } } })
    }
    const rows = { ...turn.rows, conversation: { timer: 3_600 } }
    await saveTurn(db, { ...turn, revision: 0, rows })
    const due = (await rowsOf("timers", turn)).map(({ sessionId, dueAt }) =>
      sessionId === turn.sessionId ? dueAt.getTime() - Date.now() > 1_800_000 : "beside",
    )
    expect(due.sort()).toEqual(["beside", true])
    const ended = { ...turn.rows, conversation: { ended: "expired" as const } }
    await saveTurn(db, { ...turn, revision: 1, state: null, rows: ended })
    expect(await rowsOf("timers", turn)).toMatchObject([{ sessionId: beside.sessionId }])
    expect(await rowsOf("timers", elsewhere)).toMatchObject([{ sessionId: turn.sessionId }])
    expect(await rowsOf("endedChats", turn)).toMatchObject([
      { sessionId: turn.sessionId, state: "expired" },
    ])
  })

  test("keeps the first key of a result and the first end of a chat", async () => {
    const turn = openingTurn()
    const save = (revision: number | null, conversation: object) =>
      saveTurn(db, { ...turn, revision, rows: { ...turn.rows, conversation } })
    await save(null, { key: "first", ended: "ended" })
    expect(await save(0, { key: "second", ended: "expired" })).toBe(true)
    expect(await save(1, {})).toBe(true)
    expect(await rowsOf("keyedResults", turn)).toMatchObject([{ key: "first" }])
    expect(await rowsOf("endedChats", turn)).toMatchObject([{ state: "ended" }])
    expect(await rowsOf("timers", turn)).toEqual([])
  })

  test("is notified, kept and sent with the turn", async () => {
    const turn = openingTurn()
    const [told, kept, event] = [newUuid(), newUuid(), newUuid()]
    const rows = {
      ...turn.rows,
      conversation: {
        told: [{ id: told, type: "t", data: { a: 1 } }],
        kept: [{ id: kept, message: { type: "text" } }],
      },
      events: [{ id: event, workspaceId: "w", type: "e", sequence: 1, payload: { b: 2 } }],
    }
    await saveTurn(db, { ...turn, rows })
    for (const [table, id] of [
      ["sessionEvents", told],
      ["keptMessages", kept],
      ["outbox", event],
    ] as const) {
      const found = db.kysely.selectFrom(table).select("id").where("resultId", "=", turn.resultId)
      expect(await found.execute()).toEqual([{ id }])
    }
  })
})

describe("the idempotency key", () => {
  test("stores the response beside the turn, and outlives the session", async () => {
    const turn = openingTurn()
    const keyed = { key: "k1", bodyHash: hash, body: '{"messages":[]}' }
    await saveTurn(db, { ...turn, keyed })
    await saveTurn(db, { ...turn, revision: 0, state: null })
    const { resultId, sessionId } = turn
    const address = { resultId, sessionId }
    expect(await findSession(db, { ...address, key: "k1" })).toEqual({
      session: undefined,
      response: { bodyHash: hash, status: 200, body: '{"messages":[]}' },
    })
    expect(await findSession(db, { ...address, key: "k2" })).toEqual({
      session: undefined,
      response: undefined,
    })
  })

  test("used twice undoes the whole second turn", async () => {
    const turn = openingTurn()
    const keyed = { key: "k", bodyHash: hash, body: "{}" }
    await saveTurn(db, { ...turn, keyed })
    const rows = { ...turn.rows, answers: [{ idx: 0, blockId: "b", content: "x" }] }
    const again = saveTurn(db, { ...turn, revision: 0, state: "two", rows, keyed })
    const broken = await again.then(() => undefined, violatedConstraint)
    expect(broken).toBe("idempotency_pkey")
    expect(await stateOf(db, turn)).toEqual(['{"v":1}', 0])
    expect(await answersOf(db, turn.resultId)).toEqual([])
  })

  test("is another one in another session of the same result", async () => {
    const turn = openingTurn()
    const keyed = { key: "k", bodyHash: hash, body: "{}" }
    await saveTurn(db, { ...turn, keyed })
    const sessionId = newSessionId(turn.resultId)
    expect(await saveTurn(db, { ...turn, sessionId, keyed })).toBe(true)
  })
})

test.skipIf(isOnCluster)("updates of a session stay on their page", async () => {
  const turn = { ...openingTurn(), state: "x".repeat(1500) }
  await saveTurn(single, turn)
  for (let revision = 0; revision < 50; revision += 1) {
    await saveTurn(single, { ...turn, revision })
  }
  await single.pool.query("select pg_stat_force_next_flush()")
  const { rows } = await single.pool.query(
    `select n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables
    where relname = 'chat_sessions'`,
  )
  expect(rows[0].updates).toBe(50)
  // A full page costs a few, an index on a changing column would cost all.
  expect(rows[0].hot).toBeGreaterThanOrEqual(30)
})
