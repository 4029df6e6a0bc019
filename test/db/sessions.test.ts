/** Claims of sessions, keyed starts and previews. */
import { createHash } from "node:crypto"
import { sql } from "kysely"
import { describe, expect, test } from "vitest"
import { claimSession, releaseClaim, renewClaim } from "../../src/db/chats/claims.ts"
import { findKeyedPreview } from "../../src/db/chats/previewResponses.ts"
import {
  findPreviewState,
  restorePreviewState,
  saveAnsweredPreview,
} from "../../src/db/chats/previewStates.ts"
import {
  findPreviewFlow,
  findPreviewSession,
  insertPreviewSession,
  savePreviewFlow,
  savePreviewSession,
} from "../../src/db/chats/previews.ts"
import {
  type ChatIds,
  findSession,
  saveTurn,
  type TurnToSave,
} from "../../src/db/chats/sessions.ts"
import { insertStartKey } from "../../src/db/chats/startKeys.ts"
import { newPreviewSessionId, newSessionId, newUuid } from "../../src/lib/ids.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const hash = createHash("sha256").update("flow").digest()

async function openSession(): Promise<{
  turn: TurnToSave
  address: ChatIds
}> {
  const resultId = newUuid()
  const address = { resultId, sessionId: newSessionId(resultId) }
  const rows = { botId: "bot1", versionId: newUuid() }
  const turn: TurnToSave = { ...address, revision: null, state: "{}", rows }
  await saveTurn(db, turn)
  return { turn, address }
}

describe("a claim", () => {
  test("keeps out every turn that read the session before it", async () => {
    const { turn, address } = await openSession()
    const revision = await claimSession(db, { ...address, revision: 0, seconds: 60, by: "me" })
    expect(revision).toBe(1)
    expect(await saveTurn(db, { ...turn, revision: 0, state: "early" })).toBe(false)
    expect(
      await claimSession(db, { ...address, revision: 0, seconds: 60, by: "b" }),
    ).toBeUndefined()
    expect(
      await claimSession(db, { ...address, revision: 1, seconds: 60, by: "b" }),
    ).toBeUndefined()
    const { session } = await findSession(db, address)
    expect(session).toMatchObject({ isClaimed: true, claimedBy: "me" })
    const { seconds } = await db.kysely
      .selectFrom("chatSessions")
      .select(sql<number>`extract(epoch from claimed_until - now())::float`.as("seconds"))
      .where("id", "=", address.sessionId)
      .executeTakeFirstOrThrow()
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)
  })

  test("ends with the turn that saves", async () => {
    const { turn, address } = await openSession()
    const revision = await claimSession(db, { ...address, revision: 0, seconds: 60, by: "me" })
    expect(await saveTurn(db, { ...turn, revision: revision ?? -1, state: "done" })).toBe(true)
    const { session } = await findSession(db, address)
    expect(session).toMatchObject({ state: "done", revision: 2, isClaimed: false })
  })

  test("that expired gives way to the next, and its late turn saves nothing", async () => {
    const { turn, address } = await openSession()
    await claimSession(db, { ...address, revision: 0, seconds: -1, by: "slow" })
    expect(await claimSession(db, { ...address, revision: 1, seconds: 60, by: "next" })).toBe(2)
    expect(await saveTurn(db, { ...turn, revision: 1, state: "late" })).toBe(false)
  })

  test("that is released lets others claim, but only its own holder releases it", async () => {
    const { address } = await openSession()
    await claimSession(db, { ...address, revision: 0, seconds: 60, by: "me" })
    await releaseClaim(db, { ...address, revision: 0, by: "me" })
    expect(
      await claimSession(db, { ...address, revision: 1, seconds: 60, by: "b" }),
    ).toBeUndefined()
    await releaseClaim(db, { ...address, revision: 1, by: "b" })
    expect(
      await claimSession(db, { ...address, revision: 1, seconds: 60, by: "b" }),
    ).toBeUndefined()
    await releaseClaim(db, { ...address, revision: 1, by: "me" })
    expect(await claimSession(db, { ...address, revision: 1, seconds: 60, by: "b" })).toBe(2)
  })

  test("can be taken again by the process that holds it, whose answer got lost", async () => {
    const { turn, address } = await openSession()
    await claimSession(db, { ...address, revision: 0, seconds: 60, by: "me" })
    expect(await claimSession(db, { ...address, revision: 1, seconds: 60, by: "me" })).toBe(2)
    expect(await saveTurn(db, { ...turn, revision: 1, state: "early" })).toBe(false)
  })
})

describe("a claim that is renewed", () => {
  const mine = { seconds: 60, by: "me" }

  async function claimed(seconds: number) {
    const { turn, address } = await openSession()
    await claimSession(db, { ...address, revision: 0, seconds, by: "me" })
    return { turn, address, claim: { ...address, ...mine, revision: 1 } }
  }

  test("lasts from then on, and its turn saves from the same revision", async () => {
    const { turn, address, claim } = await claimed(-1)
    expect((await findSession(db, address)).session?.isClaimed).toBe(false)
    expect(await renewClaim(db, claim)).toBe(true)
    expect((await findSession(db, address)).session).toMatchObject({ isClaimed: true, revision: 1 })
    expect(await claimSession(db, { ...claim, by: "b" })).toBeUndefined()
    expect(await saveTurn(db, { ...turn, revision: 1 })).toBe(true)
  })

  test("is lost once another turn has claimed the session after it expired", async () => {
    const { turn, claim } = await claimed(-1)
    expect(await claimSession(db, { ...claim, by: "next" })).toBe(2)
    expect(await renewClaim(db, claim)).toBe(false)
    expect(await saveTurn(db, { ...turn, revision: 1 })).toBe(false)
    expect(await saveTurn(db, { ...turn, revision: 2 })).toBe(true)
  })

  test("is lost to a turn that saved after it ran out, and to a chat that is over", async () => {
    const { turn, claim } = await claimed(-1)
    expect(await saveTurn(db, { ...turn, revision: 1 })).toBe(true)
    expect(await renewClaim(db, claim)).toBe(false)
    expect(await saveTurn(db, { ...turn, revision: 2, state: null })).toBe(true)
    expect(await renewClaim(db, claim)).toBe(false)
  })

  test("is for its owner only", async () => {
    const { claim } = await claimed(60)
    expect(await renewClaim(db, { ...claim, by: "b" })).toBe(false)
    expect(await renewClaim(db, { ...claim, revision: 0 })).toBe(false)
  })
})

test("a claim from before the database's clock was set back a day blocks no turn", async () => {
  const { address } = await openSession()
  const dayAhead = { seconds: 86_400, by: "the dead" }
  await claimSession(db, { ...address, revision: 0, ...dayAhead })
  expect((await findSession(db, address)).session?.isClaimed).toBe(false)
  expect(await claimSession(db, { ...address, revision: 1, seconds: 8, by: "next" })).toBe(2)
})

test("a session is found by both of its ids only", async () => {
  const { address } = await openSession()
  const stranger = newSessionId(address.resultId)
  expect((await findSession(db, address)).session?.botId).toBe("bot1")
  expect((await findSession(db, { ...address, sessionId: stranger })).session).toBeUndefined()
  expect((await findSession(db, { ...address, resultId: newUuid() })).session).toBeUndefined()
  expect((await findSession(db, { ...address, key: "none" })).session).toMatchObject({
    revision: 0,
  })
})

test("all starts with one key get the ids of the first", async () => {
  const keyId = newUuid()
  const rows = Array.from({ length: 5 }, () => {
    const resultId = newUuid()
    return { keyId, resultId, sessionId: newSessionId(resultId), bodyHash: hash }
  })
  const given = await Promise.all(rows.map((row) => insertStartKey(db, row)))
  expect(new Set(given.map(({ sessionId }) => sessionId)).size).toBe(1)
})

describe("a preview", () => {
  const preview = (ownerUserId: string | null) => ({
    id: newPreviewSessionId(),
    botId: null,
    workspaceId: null,
    ownerUserId,
    flowHash: hash,
    state: "{}",
    owner: { name: ownerUserId ?? "address:1.2.3.4", isAnonymous: ownerUserId === null },
  })

  test("finds its flow by hash, however often the flow is stored", async () => {
    const flow = '{"version":"6","groups":[{"id":"a"}]}'
    const owner = { name: "user:ann", isAnonymous: false }
    await savePreviewFlow(db, { hash, payload: flow, owner })
    await savePreviewFlow(db, { hash, payload: flow, owner })
    expect(await findPreviewFlow(db, hash)).toBe(flow)
    expect(await findPreviewFlow(db, createHash("sha256").digest())).toBeUndefined()
  })

  test("saves from the revision that was read, once", async () => {
    const opened = preview(null)
    expect(await insertPreviewSession(db, opened)).toBe(0)
    const { id } = opened
    expect(await savePreviewSession(db, { id, revision: 0, state: "two" })).toBe(true)
    expect(await savePreviewSession(db, { id, revision: 0, state: "late" })).toBe(false)
    expect(await findPreviewSession(db, id)).toMatchObject({ state: "two", revision: 1 })
    expect(await findPreviewSession(db, "none")).toBeUndefined()
  })

  test("is replaced by its owner only", async () => {
    const opened = preview("user1")
    await insertPreviewSession(db, opened)
    const [stranger, other] = [preview(null), preview("user2")]
    expect(await insertPreviewSession(db, { ...stranger, id: opened.id })).toBeUndefined()
    expect(await insertPreviewSession(db, { ...other, id: opened.id })).toBeUndefined()
    expect(await insertPreviewSession(db, { ...opened, state: "new" })).toBe(1)
    expect(await findPreviewSession(db, opened.id)).toMatchObject({ state: "new" })
    const anonymous = preview(null)
    await insertPreviewSession(db, anonymous)
    expect(await insertPreviewSession(db, anonymous)).toBe(1)
  })

  test("keeps the states before its last fifty answers, and two megabytes of them", async () => {
    const opened = { ...preview("user1"), botId: "bot1" }
    await insertPreviewSession(db, opened)
    const { id } = opened
    const kept = async () => {
      const rows = await db.kysely
        .selectFrom("previewStates")
        .select(["revision", "state"])
        .where("sessionId", "=", id)
        .orderBy("revision")
        .execute()
      return rows.map(({ revision, state }) => `${revision} ${state.slice(0, 2)}`)
    }
    const save = (revision: number, state: string) =>
      saveAnsweredPreview(db, { id, revision, state })
    for (let revision = 0; revision < 52; revision++) {
      expect(await save(revision, `${revision + 1}`)).toBe(true)
    }
    expect(await save(0, "late")).toBe(false)
    expect(await kept()).toHaveLength(50)
    expect((await kept()).at(0)).toBe("2 2")
    const large = (letter: string) => letter.repeat(900_000)
    for (const [index, letter] of ["x", "y", "z", "n"].entries())
      await save(52 + index, large(letter))
    expect(await kept()).toEqual(["54 yy", "55 zz"])
    await save(56, "x".repeat(5_000_000))
    await save(57, "last")
    expect(await kept()).toEqual(["57 xx"])
    const key = { key: "k", bodyHash: createHash("sha256").digest(), body: "{}", status: 200 }
    expect(await saveAnsweredPreview(db, { id, revision: 58, state: "keyed", keyed: key })).toBe(
      true,
    )
    expect(await findKeyedPreview(db, { id, key: "k" })).toMatchObject({
      session: { state: "keyed", revision: 59 },
      response: { body: "{}" },
    })
    const owner = { id, botId: "bot1", ownerUserId: "user1" }
    const found = await findPreviewState(db, owner)
    expect(found).toMatchObject({ state: "keyed", keptState: "last", keptRevision: 58 })
    const to = { id, state: "last", keptRevision: 58 }
    expect(await restorePreviewState(db, { ...to, revision: 58 })).toBe(false)
    expect(await restorePreviewState(db, { ...to, revision: 59 })).toBe(true)
    expect(await findPreviewState(db, owner)).toMatchObject({ state: "last", keptState: null })
    expect(await findPreviewState(db, { ...owner, ownerUserId: "user2" })).toBeUndefined()
    expect(await findPreviewState(db, { ...owner, botId: "other" })).toBeUndefined()
  })

  test("is claimed as a live session is", async () => {
    const opened = preview(null)
    await insertPreviewSession(db, opened)
    const { id: sessionId } = opened
    expect(await claimSession(db, { sessionId, revision: 0, seconds: 60, by: "me" })).toBe(1)
    expect(await savePreviewSession(db, { id: sessionId, revision: 0, state: "early" })).toBe(false)
    expect(await claimSession(db, { sessionId, revision: 1, seconds: 60, by: "b" })).toBeUndefined()
    expect(await renewClaim(db, { sessionId, revision: 1, seconds: 60, by: "b" })).toBe(false)
    expect(await renewClaim(db, { sessionId, revision: 1, seconds: -1, by: "me" })).toBe(true)
    expect((await findPreviewSession(db, sessionId))?.isClaimed).toBe(false)
    expect(await renewClaim(db, { sessionId, revision: 1, seconds: 86_400, by: "me" })).toBe(true)
    expect((await findPreviewSession(db, sessionId))?.isClaimed).toBe(false)
    expect(await renewClaim(db, { sessionId, revision: 1, seconds: 60, by: "me" })).toBe(true)
    expect((await findPreviewSession(db, sessionId))?.isClaimed).toBe(true)
    await releaseClaim(db, { sessionId, revision: 1, by: "me" })
    expect(await claimSession(db, { sessionId, revision: 1, seconds: 60, by: "b" })).toBe(2)
  })
})
