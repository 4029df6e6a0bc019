/**
 * What looks at very many results does so a piece at a time: each piece reads its own rows, however
 * many there are of other times and other bots, and together they say what one look would.
 */
import { afterAll, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { quarterMs } from "../../src/db/results/analytics.ts"
import { partSize, searchAmong, searchKeys } from "../../src/db/results/erasure.ts"
import { listUnarchived } from "../../src/db/results/results.ts"
import { firstUuidAt } from "../../src/lib/ids.ts"
import { countResults } from "../../src/results/countResults.ts"
import { createSums } from "../../src/results/createSums.ts"
import { listVersionsOf, readResultPage } from "../../src/results/listResults.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { fill } from "../support/fill.ts"
import { runJob } from "../support/jobs.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { threeQuestionFlow } from "../support/threeQuestions.ts"
import { explaining, plansIn, readsOf } from "./plans.ts"
import { openWireTap } from "./wireTap.ts"

const databaseUrl = await testDatabaseUrl()
// These are planned for the values of each piece.
const custom = { options: `${explaining.options} -c plan_cache_mode=auto` }
const tap = await openWireTap(databaseUrl, custom)
afterAll(() => tap.close())
const server = await testServer({ DATABASE_URL: tap.url })
const { botId } = await publishBot(server, threeQuestionFlow)
await fill({ url: databaseUrl, botId, results: 16_000 })
const db = await openDatabase({ url: tap.url, poolSize: 1 })
afterAll(() => db.close())

const dayMs = 86_400_000
/** The large ones: small tables may be read from end to end. */
const large = ["results", "answers"]

/** Runs some work, and expects that no statement of it reads a table of chats from end to end. */
async function look(work: () => Promise<unknown>): Promise<void> {
  tap.clear()
  await work()
  const plans = plansIn(tap.notices)
  const reads = plans.flatMap((plan) => readsOf(plan).map((read) => ({ ...read, text: plan.text })))
  expect(new Set(reads.map(({ table }) => table))).toContain("answers")
  for (const { table, isByIndex, text } of reads) {
    if (large.includes(table)) expect(isByIndex, `${text}\nreads all of ${table}`).toBe(true)
  }
}

test("counting a day of a bot reads what it holds", async () => {
  const beforeMs = Date.now() - 20 * dayMs
  const range = { fromId: firstUuidAt(beforeMs - dayMs), beforeId: firstUuidAt(beforeMs) }
  const counting = { ...range, botIds: [botId], nowMs: beforeMs }
  await look(() => countResults(db, createSums(), counting))
})

test("a search for a person reads the results that it has come to", async () => {
  const { rows } = await db.pool.query(
    "select result_id as id from results where bot_id = $1 order by result_id desc limit 3000",
    [botId],
  )
  const ids = rows.map(({ id }) => id as string)
  const part = { botId, afterId: ids.at(-1), limit: partSize }
  const resultIds = (await listUnarchived(db, part)).map(({ resultId }) => resultId)
  const among = { botIds: [botId], resultIds, words: ["nobody"] }
  await look(() => searchAmong(db, among))
  await look(() => searchAmong(db, { ...among, isPart: true }))
  await look(() =>
    searchAmong(db, { botIds: [botId], resultIds: ids.slice(0, 5), words: ["nobody"] }),
  )
})

test("a search for a person looks at no other keys", async () => {
  tap.clear()
  await searchKeys(db, { botIds: [botId], key: "ann", words: ["ann", "ANN"] })
  const tables = ["keyed_results", "conversations"]
  const reads = plansIn(tap.notices)
    .flatMap(readsOf)
    .filter(({ table }) => tables.includes(table))
  expect(new Set(reads.map(({ table }) => table))).toEqual(new Set(tables))
  for (const { isByIndex, passedOver } of reads) {
    expect({ isByIndex, isFew: passedOver < 50 }).toEqual({ isByIndex: true, isFew: true })
  }
})

const all = { botId, fromId: firstUuidAt(0), beforeId: firstUuidAt(2 ** 48 - 1) }

test("a page of a filter that finds enough at once looks no further", async () => {
  tap.clear()
  const { results } = await readResultPage(db, { ...all, isCompleted: true }, { limit: 20 })
  expect(results).toHaveLength(20)
  expect(tap.ran.filter(({ text }) => text.includes("offset"))).toHaveLength(1)
})

test("a search reads the copies of texts of its span by their index, and results only where these have the words", async () => {
  await db.pool.query("delete from result_texts")
  await runJob(db, "copy_texts")
  tap.clear()
  const search = "no such words"
  expect((await readResultPage(db, { ...all, search }, { limit: 20 })).results).toEqual([])
  const plans = plansIn(tap.notices).filter(({ text }) => text.includes("strpos(text"))
  expect(plans.flatMap(readsOf)).toMatchObject([{ table: "result_texts", isByIndex: true }])
  // Those of the last two hours.
  expect(tap.ran.filter(({ text }) => text.includes("from answers"))).toHaveLength(2)
})

test("an export looks for the versions of its results a piece at a time", async () => {
  const rows = (order: string) =>
    db.pool.query(
      `select result_id as id, version_id as version from results
      where bot_id = $1 and has_started order by result_id ${order} limit 1`,
      [botId],
    )
  const [newest, oldest] = [(await rows("desc")).rows[0], (await rows("asc")).rows[0]]
  const older = firstUuidAt(1)
  const rename = "update results set version_id = $2 where result_id = $1"
  await db.pool.query(rename, [oldest.id, older])
  tap.clear()
  expect(await listVersionsOf(db, all)).toEqual([newest.version, older])
  const reads = plansIn(tap.notices).flatMap(readsOf)
  const ofResults = reads.filter(({ table }) => table === "results")
  // Every other result is the bot's: to walk all of them in order is as quick, as far as a piece goes.
  const far = ofResults.filter(({ isByIndex, passedOver }) => !isByIndex && passedOver > 4_000)
  expect(far).toEqual([])
  expect(tap.ran.filter(({ text }) => text.includes("distinct"))).toHaveLength(4)
  expect(await listVersionsOf(db, { ...all, fromId: newest.id })).toEqual([newest.version])
  await db.pool.query(rename, [oldest.id, oldest.version])
})

test("the pages of a count add up, also within a quarter of an hour", async () => {
  // Jobs delete the results of bots that do not exist.
  const { botId } = await publishBot(server, threeQuestionFlow)
  const startMs = Math.floor(Date.now() / quarterMs) * quarterMs - dayMs
  const head = firstUuidAt(startMs).slice(0, 24)
  const count = 4_500
  const id = "($1 || lpad(to_hex(n), 12, '0'))::uuid"
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started, is_completed, created_at)
    select ${id}, $5, $2, true, n % 3 = 0, to_timestamp($4::float8 / 1000)
    from generate_series(1, $3::int) n`,
    [head, firstUuidAt(1), count, startMs, botId],
  )
  await db.pool.query(
    `insert into answers (result_id, idx, block_id, content, created_at)
    select ${id}, 0, 'block', 'x', to_timestamp($3::float8 / 1000 + 7)
    from generate_series(1, $2::int) n`,
    [head, count, startMs],
  )
  await db.pool.query(
    `insert into result_steps (result_id, step, edge_ids)
    select ${id}, 0, array['edge'] from generate_series(1, $2::int) n`,
    [head, count],
  )
  const range = { fromId: firstUuidAt(0), beforeId: firstUuidAt(Date.now()) }
  const nowMs = Date.now()
  const quarter = startMs / quarterMs
  const sums = createSums()
  await countResults(db, sums, { ...range, botIds: [botId], nowMs })
  expect(sums.all()).toEqual([
    {
      botId,
      versionId: firstUuidAt(1),
      counts: {
        startsAt: { [quarter]: count },
        completionsAt: { [quarter]: count / 3 },
        seconds: { 7: count / 3 },
        answers: { block: count },
        marks: { edge: count },
        open: {},
        choices: {},
        modelCalls: {},
        inputTokens: {},
        outputTokens: {},
        inputTokensAt: {},
        outputTokensAt: {},
      },
    },
  ])
})

test("what was counted ahead is added up by one statement, however many days and edges", async () => {
  const { botId } = await publishBot(server, threeQuestionFlow)
  const days = 400
  const firstMs = (Math.floor(Date.now() / dayMs) - days) * dayMs
  await db.pool.query(
    `insert into analytics_days (day, count_id, counted_at)
    select date '1970-01-01' + n, gen_random_uuid(), now() from generate_series($1::int, $2::int) n
    on conflict (day) do update set counted_at = excluded.counted_at`,
    [firstMs / dayMs, firstMs / dayMs + days - 1],
  )
  const counts = (day: number) => {
    const quarters = Array.from({ length: 96 }, (_, n) => [day * 96 + n, 2] as const)
    const marks = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`edge${n}`, 1]))
    return {
      ...{ startsAt: Object.fromEntries(quarters), completionsAt: { [day * 96]: 1 } },
      ...{ seconds: { 7: 1 }, answers: {}, choices: { block: { x: 1 } }, marks, open: {} },
    }
  }
  await db.pool.query(
    `insert into analytics_counts (bot_id, quarter, version_id, counts)
    select $1, (each->>'quarter')::int, $2, each->'counts' from jsonb_array_elements($3) each`,
    [
      botId,
      firstUuidAt(1),
      JSON.stringify(
        Array.from({ length: days }, (_, n) => firstMs / dayMs + n).map((day) => ({
          quarter: day * 96,
          counts: counts(day),
        })),
      ),
    ],
  )
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started, created_at)
    values ($1, $2, $3, true, to_timestamp($4::float8 / 1000))`,
    [firstUuidAt(firstMs), botId, firstUuidAt(1), firstMs],
  )
  tap.clear()
  const path = `/api/v1/bots/${botId}/analytics?timeFilter=allTime&timeZone=Asia/Kathmandu`
  const { body } = await server.send("GET", path)
  const { totals, byDay } = body as { totals: object; byDay: object[] }
  expect(totals).toMatchObject({ starts: days * 96 * 2, completions: days, medianSeconds: 7 })
  // Its days begin at a quarter past six in the evening.
  expect(byDay).toHaveLength(days + 1)
  expect(byDay[1]).toMatchObject({ starts: 2 * 96, completions: 1 })
  expect(tap.ran.filter(({ text }) => text.includes("from analytics_counts"))).toHaveLength(1)
})
