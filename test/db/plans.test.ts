/**
 * Plans of every hot statement, also of those inside `save_turn`: as PostgreSQL makes them for any
 * values (generic plans), over tables with thousands of rows, reported by auto_explain at run time.
 */
import { createHash } from "node:crypto"
import { afterAll, describe, expect, test } from "vitest"
import * as claims from "../../src/db/chats/claims.ts"
import { countOpenChats } from "../../src/db/chats/conversations.ts"
import * as previews from "../../src/db/chats/previews.ts"
import * as runnable from "../../src/db/chats/runnable.ts"
import * as sessions from "../../src/db/chats/sessions.ts"
import * as startKeys from "../../src/db/chats/startKeys.ts"
import * as webhookCalls from "../../src/db/chats/webhookCalls.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import * as tokens from "../../src/db/people/tokens.ts"
import * as purge from "../../src/db/results/purge.ts"
import * as results from "../../src/db/results/results.ts"
import { countChats } from "../../src/db/results/usage.ts"
import { allJobs } from "../../src/jobs/allJobs.ts"
import { firstUuidAt, newSessionId, newUuid } from "../../src/lib/ids.ts"
import { archiveResults } from "../../src/results/archiveResults.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { fill } from "../support/fill.ts"
import { hotNamesIn } from "../support/hotNames.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { threeQuestionFlow } from "../support/threeQuestions.ts"
import { type Explained, explaining, plansIn, readsOf } from "./plans.ts"
import { openWireTap } from "./wireTap.ts"

const databaseUrl = await testDatabaseUrl()
const author = await testServer({ DATABASE_URL: databaseUrl })
const { botId, publicId } = await publishBot(author, {
  ...threeQuestionFlow,
  settings: { general: { rememberUser: { isEnabled: true } } },
})
const hooked = await publishBot(
  author,
  bot(group("A", say("Wait"), block("webhook", {}, { id: "hook" }), ask.text())),
)
await fill({ url: databaseUrl, botId, results: 16_000 })

const tap = await openWireTap(databaseUrl, explaining)
afterAll(() => tap.close())
const db = await openDatabase({ url: tap.url, poolSize: 1 })
afterAll(() => db.close())
// Jobs would come in between; what they read is looked at below.
const names = [...allJobs.map(({ name }) => name), "fire_timers"]
await db.kysely
  .insertInto("jobs")
  .values(names.map((name) => ({ name, runAt: new Date("2100-01-01") })))
  // The author's service may have run them already.
  .onConflict((conflict) => conflict.column("name").doUpdateSet({ runAt: new Date("2100-01-01") }))
  .execute()
const server = await testServer({
  DATABASE_URL: tap.url,
  // So would the look for webhook endpoints.
  PARLEY_CONTROL_DATABASE_URL: databaseUrl,
})
const send: typeof server.send = (method, path, sent) =>
  server.send(method, path, { token: author.token, ...sent })

const { rows: samples } = await db.pool.query(
  `select r.result_id as "resultId", s.id as "sessionId", r.version_id as "versionId"
  from results r join chat_sessions s on s.result_id = r.result_id
  where r.bot_id = $1 and has_started limit 200`,
  [botId],
)
let taken = 0
/** A filled result of the bot that no other test changes, with its session. */
const sample = (): { resultId: string; sessionId: string; versionId: string } => samples[taken++]
const hash = createHash("sha256").update("96").digest()

/** Empty here, and small anywhere. */
const countedAhead = ["analytics_days", "analytics_counts", "analytics_voids"]

/** What the service sends by itself, in whatever test, and the table that it may read. */
const bySelf = { begins: "update api_tokens t set last_used_at", table: "api_tokens" }

/** The names of the statements whose plans were looked at. */
const seen = new Set<string>()

/** Runs some work and returns the plans of its statements. */
async function explain(work: () => Promise<unknown>): Promise<Explained[]> {
  tap.clear()
  await work()
  const plans = plansIn(tap.notices)
  expect(plans).not.toEqual([])
  const texts = new Set(plans.map(({ text }) => text))
  for (const { name, text } of tap.ran) if (texts.has(text)) seen.add(name)
  return plans
}

/**
 * Runs some work and looks at every statement of it. Returns the plans. Tables may be named that a
 * statement about many rows may as well read from end to end: never those that chats write.
 */
async function look(work: () => Promise<unknown>, ...mayScan: string[]): Promise<Explained[]> {
  const plans = await explain(work)
  for (const plan of plans) {
    for (const { table, index, isByIndex, passedOver } of readsOf(plan)) {
      const found = `${plan.text}\nreads ${table} by ${index ?? "nothing"}`
      const allowed = plan.text.startsWith(bySelf.begins) ? [bySelf.table] : mayScan
      expect(isByIndex || allowed.includes(table), found).toBe(true)
      expect(passedOver, `${found} and passes over rows`).toBeLessThan(50)
    }
  }
  return plans
}

describe("chats over REST find every row by an index", () => {
  test("from the start to the end", async () => {
    const plans = await look(async () => {
      const chat = await chatOver(server, publicId)
      await chat.say("Ann")
      await chat.say("no address")
      await chat.say("ann@example.com", { "idempotency-key": "k" })
      const clientLogs = [{ status: "error", description: "Seen by the client" }]
      const path = `/api/v1/sessions/${chat.step.sessionId}/clientLogs`
      expect((await server.send("POST", path, { token: null, body: { clientLogs } })).status).toBe(
        200,
      )
      await chat.say("Prices")
    })
    // What save_turn does inside is among them.
    for (const inner of ["update chat_sessions", "insert into answers", "delete from chat_sess"]) {
      expect(plans.some(({ text }) => text.startsWith(inner))).toBe(true)
    }
  })

  test("when a start has a key, and when it comes back to a result", async () => {
    const { resultId } = sample()
    await look(async () => {
      const sent = { token: null, body: {}, headers: { "idempotency-key": "start" } }
      for (const status of [200, 200]) {
        const started = await server.send("POST", `/api/v1/bots/${publicId}/startChat`, sent)
        expect(started.status).toBe(status)
      }
      const back = await chatOver(server, publicId, { resultId })
      await back.say("Ann")
    })
  })

  test("when a call from outside is waited for", async () => {
    await look(async () => {
      const { step, say } = await chatOver(server, hooked.publicId)
      const path = `/api/v1/bots/${hooked.botId}/blocks/hook/results/${step.resultId}/executeWebhook`
      expect((await send("POST", path, { body: { name: "Ann" } })).status).toBe(200)
      await say("{}")
    })
  })

  test("in previews", async () => {
    const flow = bot(group("A", ask.text({ saves: "Name" }), say("Hi {{Name}}"), ask.text()))
    await look(async () => {
      const path = `/api/v1/bots/${botId}/preview`
      // Of a member, who can go back, and of a stranger.
      for (const token of [author.token, null]) {
        const sent = { token, body: { bot: flow } }
        const { status, body } = await server.send("POST", `${path}/startChat`, sent)
        expect(status).toBe(200)
        const next = `/api/v1/sessions/${body.sessionId}/continueChat`
        await server.send("POST", next, { token: null, body: { message: "Ann" } })
        const back = await server.send("POST", `${path}/${body.sessionId}/back`, { token })
        expect(back.status).toBe(token === null ? 401 : 200)
      }
    }, "preview_classes")
  })
})

describe("results over REST are found by an index", () => {
  const path = `/api/v1/bots/${botId}/results`

  test("page by page, over all time and over spans of it", async () => {
    const list = async (query: string) => (await send("GET", `${path}?${query}`)).body
    const plans = await look(async () => {
      const first = await list("timeFilter=allTime&limit=20")
      const second = await list(`timeFilter=allTime&limit=20&cursor=${first.nextCursor}`)
      expect(second.results).toHaveLength(20)
      for (const span of ["today", "last7Days", "last30Days", "lastMonth", "yearToDate"]) {
        await list(`timeFilter=${span}&cursor=${first.nextCursor}`)
      }
    })
    const lists = plans.flatMap(readsOf).filter(({ index }) => index === "results_listed")
    expect(lists).toHaveLength(7)
    expect(lists.every(({ passedOver }) => passedOver === 0)).toBe(true)
  })

  test("with filters, which look at each by its answers", async () => {
    const plans = await explain(async () => {
      for (const filter of ["search=nowhere", "status=partial", "version=1"]) {
        const query = `timeFilter=allTime&limit=20&${filter}`
        expect((await send("GET", `${path}?${query}`)).status).toBe(200)
      }
    })
    const reads = plans.flatMap(readsOf)
    const hot = reads.filter(({ table }) => ["results", "answers"].includes(table))
    expect(hot.map(({ table }) => table)).toContain("answers")
    expect(hot.filter(({ isByIndex }) => !isByIndex)).toEqual([])
  })

  test("one by one, with their logs, and when they are deleted", async () => {
    const [one, two] = [sample().resultId, sample().resultId]
    await look(
      async () => {
        expect((await send("GET", `${path}/${one}`)).status).toBe(200)
        expect((await send("GET", `${path}/${one}/logs`)).status).toBe(200)
        expect((await send("DELETE", `${path}?resultIds=${one},${two}`)).status).toBe(200)
      },
      ...countedAhead,
    )
  })

  test("when all of a bot are deleted", async () => {
    const archived = { botId: "bot2", selection: "all", workspaceBotIds: ["bot2"] } as const
    await look(() => archiveResults({ db }, archived), ...countedAhead)
  })
})

test("bots of a workspace are found in their order by an index, page by page", async () => {
  const { workspaceId } = await db.kysely
    .selectFrom("bots")
    .select("workspaceId")
    .where("id", "=", botId)
    .executeTakeFirstOrThrow()
  await db.pool.query(
    `insert into bots (id, workspace_id, version, name, created_at)
    select 'mine' || i, $1, '6.1', 'Bot ' || i, now() - i * interval '1 minute'
    from generate_series(1, 2000) i`,
    [workspaceId],
  )
  const bin = "is_archived = true, is_in_bin = true, archived_at = now()"
  await db.pool.query(`update bots set ${bin} where id ~ '^mine1..$'`)
  await db.pool.query("analyze bots")
  const list = async (query: string) => {
    const found = await send("GET", `/api/v1/bots?workspaceId=${workspaceId}&limit=20${query}`)
    expect(found.body.bots).toHaveLength(20)
    return found.body
  }
  const plans = await look(async () => {
    for (const sort of ["createdAt", "name"]) {
      const { nextCursor } = await list(`&sort=${sort}`)
      await list(`&sort=${sort}&cursor=${nextCursor}`)
    }
    await list("&deleted=true")
  })
  const reads = plans.flatMap(readsOf).filter(({ table }) => table === "bots")
  const indexes = reads.map(({ index }) => index)
  const inOrder = ["bots_listed", "bots_listed", "bots_named", "bots_named"]
  expect(indexes).toEqual([...inOrder, "bots_in_bin"])
})

describe("statements that few requests come to find every row by an index", () => {
  test("claims of sessions and previews", async () => {
    const { resultId, sessionId } = sample()
    const claim = { seconds: 60, by: "me", revision: 0 }
    await look(async () => {
      expect(await claims.claimSession(db, { resultId, sessionId, ...claim })).toBe(1)
      expect(await claims.renewClaim(db, { resultId, sessionId, ...claim, revision: 1 })).toBe(true)
      await claims.releaseClaim(db, { resultId, sessionId, revision: 1, by: "me" })
      expect(await claims.claimSession(db, { sessionId: "preview96", ...claim })).toBe(1)
      const held = { sessionId: "preview96", ...claim, revision: 1 }
      expect(await claims.renewClaim(db, held)).toBe(true)
      await claims.releaseClaim(db, { sessionId: "preview96", revision: 1, by: "me" })
      await previews.findPreviewFlow(db, hash)
    })
  })

  test("calls for waiting chats", async () => {
    const { resultId, sessionId } = sample()
    const wait = { resultId, sessionId, blockId: "b" }
    await look(async () => {
      const call = { ...wait, id: newUuid(), body: "{}" }
      expect(await webhookCalls.insertWebhookCall(db, call, 20)).toBe("stored")
      expect(await webhookCalls.findWebhookCall(db, { ...wait, step: 1 })).toMatchObject({})
      expect(await webhookCalls.takeWebhookCall(db, { ...wait, step: 1 })).toMatchObject({})
      expect(await webhookCalls.listCalled(db, [resultId, newUuid()])).toHaveLength(1)
      await webhookCalls.deleteWebhookCalls(db, wait)
      await sessions.findLastSessionId(db, resultId)
      await previews.listPreviewIds(db, "user1")
    })
  })

  test("what linked bots, transcripts, logs, keys and tokens ask for", async () => {
    const { resultId, sessionId } = sample()
    const row = { id: newUuid(), status: "info", description: "x" }
    const key = { keyId: newUuid(), resultId, sessionId, bodyHash: hash }
    await look(async () => {
      await runnable.findRunnableBot(db, "bot1")
      await runnable.findLinkedVersion(db, { botId: "bot1", workspaceId: "space1" })
      expect((await runnable.findHistory(db, resultId))?.answers).toHaveLength(5)
      const lines = { resultId, sessionId, lines: [row], most: 100 }
      expect(await results.addLogs(db, lines)).toBe("stored")
      expect(await startKeys.insertStartKey(db, key)).toMatchObject({ sessionId })
      expect(await tokens.findTokenOwner(db, hash)).toMatchObject({ userId: "user96" })
    })
    const use = { tokenId: "token1", usedAt: new Date() }
    await look(() => tokens.saveUses(db, "api_tokens", [use]))
  })

  test("a turn whose rows have taken numbers, and one that records results of linked bots", async () => {
    const { resultId, sessionId, versionId } = sample()
    const answers = [{ idx: 0, blockId: "b", content: "taken" }]
    const logs = [{ id: newUuid(), status: "info", description: "x" }]
    const row = { variables: [], hasStarted: true, isCompleted: false }
    const own = { botId, versionId, result: row, answers, step: { step: 0, edgeIds: ["e"] }, logs }
    const rows = { ...own, children: [{ resultId: newUuid(), ...own }] }
    const turn = { resultId, sessionId, revision: 0, state: "{}", rows }
    const plans = await look(async () => {
      expect(await sessions.saveTurn(db, turn)).toBe(true)
      expect(await sessions.saveTurn(db, { ...turn, sessionId: newSessionId(resultId) })).toBe(
        false,
      )
    })
    expect(plans.some(({ text }) => text.startsWith("select max(idx) + 1"))).toBe(true)
    expect(plans.some(({ text }) => text.startsWith("insert into logs"))).toBe(true)
  })

  test("the count of chats", async () => {
    const fromId = firstUuidAt(Date.now() - 6 * 3_600_000)
    await look(() => countChats(db, { fromId, beforeId: newUuid() }), "bots")
  })

  test("open chats of versions, and rows of deleted results", async () => {
    await look(
      async () => {
        const range = { fromId: firstUuidAt(0), beforeId: firstUuidAt(1) }
        await countOpenChats(db, { botId, versionIds: [newUuid()], fromId: newUuid() })
        await purge.findFirstResultFrom(db, range.fromId)
        await purge.listResultsIn(db, range)
        await purge.deleteResultsIn(db, range)
        await purge.deleteResults(db, [{ botId, resultId: newUuid() }])
      },
      ...countedAhead,
    )
  })
})

test("no hot statement has been left out", () => {
  const files = ["sessions", "startKeys", "previews", "webhookCalls", "runnable"]
  const names = hotNamesIn(...files.map((file) => `chats/${file}`), "people/tokens")
  expect(names.length).toBeGreaterThan(18)
  expect(names.filter((name) => !seen.has(name))).toEqual([])
})
