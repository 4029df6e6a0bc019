/** save_turn: everything one turn writes, or nothing. */
import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { findSession, saveTurn } from "../../src/db/chats/sessions.ts"
import { violatedConstraint } from "../../src/db/connection/failures.ts"
import { newSessionId, newUuid } from "../../src/ids.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"
import { answersOf, openingTurn, resultOf, stateOf } from "../support/turns.ts"

const db = await testDatabase()
// Statistics are counted per connection, so one that is alone sees all of them.
const single = await testDatabase({ poolSize: 1 })
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
