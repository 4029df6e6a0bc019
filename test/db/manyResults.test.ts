/**
 * What looks at very many results does so a piece at a time: each piece reads its own rows, however
 * many there are of other times and other bots, and together they say what one look would.
 */
import { afterAll, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/open.ts"
import { countQuarters, quarterMs } from "../../src/db/results/analytics.ts"
import { searchAmong, searchKeys, searchResults } from "../../src/db/results/erasure.ts"
import { listVersionsOf, readResultPage } from "../../src/db/results/listing.ts"
import { choiceTypes } from "../../src/engine/blocks/registry.ts"
import { firstUuidAt } from "../../src/ids.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { fill } from "../support/fill.ts"
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

test.each([
  ["a bot", botId],
  ["all bots", undefined],
])("counting a day of %s reads what they hold", async (_, botId) => {
  const beforeMs = Date.now() - 20 * dayMs
  const range = { fromId: firstUuidAt(beforeMs - dayMs), beforeId: firstUuidAt(beforeMs) }
  const openSince = new Date(beforeMs)
  await look(() => countQuarters(db, { ...range, botId, choiceTypes, openSince }))
})

test("a search for a person reads the results that it has come to", async () => {
  const { rows } = await db.pool.query(
    "select result_id as id from results where bot_id = $1 order by result_id desc limit 3000",
    [botId],
  )
  const ids = rows.map(({ id }) => id as string)
  await look(() => searchResults(db, { botId, afterId: ids.at(-1), words: ["nobody"] }))
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

test("a page of a filter that finds enough at once looks no further", async () => {
  tap.clear()
  const { results } = await readResultPage(db, { botId, isCompleted: true }, { limit: 20 })
  expect(results).toHaveLength(20)
  expect(tap.ran.filter(({ text }) => text.includes("offset"))).toHaveLength(1)
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
  expect(await listVersionsOf(db, { botId })).toEqual([newest.version, older])
  const reads = plansIn(tap.notices).flatMap(readsOf)
  const ofResults = reads.filter(({ table }) => table === "results")
  expect(ofResults.every(({ isByIndex }) => isByIndex)).toBe(true)
  expect(tap.ran.filter(({ text }) => text.includes("distinct"))).toHaveLength(4)
  expect(await listVersionsOf(db, { botId, from: newest.id })).toEqual([newest.version])
  await db.pool.query(rename, [oldest.id, oldest.version])
})

test("the pieces of a count add up, also within a quarter of an hour", async () => {
  // Jobs delete the results of bots that do not exist.
  const { botId } = await publishBot(server, threeQuestionFlow)
  const startMs = Math.floor(Date.now() / quarterMs) * quarterMs - dayMs
  const head = firstUuidAt(startMs).slice(0, 24)
  const count = 1_200
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
  const request = { ...range, botId, choiceTypes, openSince: new Date() }
  const counts = { starts: count, completions: count / 3, seconds: { 7: count / 3 } }
  expect(await countQuarters(db, request)).toMatchObject([
    { counts: { ...counts, answers: { block: count }, marks: { edge: count } } },
  ])
})

const daysSince = 200
const countedDays = 40

test.each([
  { how: "a week", edges: 0, least: countedDays / 7, most: 10 },
  { how: "a day, of flows with many edges,", edges: 60, least: countedDays - 2, most: countedDays },
])("of numbers counted ahead $how are read at a time", async ({ edges, least, most }) => {
  const { botId } = await publishBot(server, threeQuestionFlow)
  const today = Math.floor(Date.now() / dayMs) * dayMs
  // Before all other results, whose days a job counts.
  const firstMs = today - daysSince * dayMs
  const beforeMs = firstMs + countedDays * dayMs
  await db.pool.query(
    `insert into analytics_days (day, count_id, counted_at)
    select day, gen_random_uuid(), now()
    from generate_series(to_timestamp($1::float8 / 1000), to_timestamp($2::float8 / 1000), '1 day') day
    on conflict (day) do update set counted_at = excluded.counted_at`,
    [firstMs, beforeMs - dayMs],
  )
  const marks = Object.fromEntries(Array.from({ length: edges }, (_, n) => [`edge${n}`, 1]))
  const counts = {
    starts: 2,
    completions: 1,
    seconds: {},
    answers: {},
    choices: {},
    marks,
    open: {},
  }
  await db.pool.query(
    `insert into analytics_counts (bot_id, quarter, version_id, counts)
    select $1, n, $2, $3 from generate_series($4::int, $5::int) n`,
    [botId, firstUuidAt(1), counts, firstMs / quarterMs, beforeMs / quarterMs - 1],
  )
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started, created_at)
    values ($1, $2, $3, true, to_timestamp($4::float8 / 1000))`,
    [firstUuidAt(firstMs + edges), botId, firstUuidAt(1), firstMs],
  )
  tap.clear()
  const path = `/api/v1/bots/${botId}/analytics?timeFilter=allTime&timeZone=Asia/Kathmandu`
  const { body } = await server.send("GET", path)
  const { totals, byDay } = body as { totals: object; byDay: object[] }
  const quarters = countedDays * 96
  expect(totals).toMatchObject({ starts: 2 * quarters, completions: quarters })
  // Its days begin at a quarter past six in the evening.
  expect(byDay).toHaveLength(countedDays + 1)
  expect(byDay[1]).toMatchObject({ starts: 2 * 96, completions: 96 })
  const reads = tap.ran.filter(({ text }) => text.startsWith('select * from "analytics_counts"'))
  // Most days of the rest hold nothing, and are looked up.
  const rest = Math.ceil((daysSince - countedDays) / 7)
  expect(reads.length).toBeGreaterThanOrEqual(least + rest)
  expect(reads.length).toBeLessThanOrEqual(most + rest + 3)
})
