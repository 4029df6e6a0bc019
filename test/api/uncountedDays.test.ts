/** Analytics of days that no job has counted yet: how much a call counts, and how the job continues. */
import { expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { threeQuestionFlow } from "../support/threeQuestions.ts"

const dayMs = 86_400_000
const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl })
const db = await openDatabase({ url: databaseUrl, poolSize: 1 })
const [large, small] = [
  await publishBot(server, threeQuestionFlow),
  await publishBot(server, threeQuestionFlow),
]
const perDay = 30_000
const startOf = (daysAgo: number) => (Math.floor(Date.now() / dayMs) - daysAgo) * dayMs

/** Results that began a day, evenly spread over it. */
async function addResults(botId: string, daysAgo: number, count: number): Promise<void> {
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started, created_at)
    select (lpad(to_hex($3::bigint + n * ${dayMs} / $4::bigint), 12, '0') || '7'
        || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid, $1,
      (select id from bot_versions where bot_id = $2), true,
      to_timestamp(($3::bigint + n * ${dayMs} / $4::bigint) / 1000.0)
    from generate_series(0, $4::bigint - 1) n`,
    [botId, botId, startOf(daysAgo), count],
  )
}

type Answer = {
  totals: { starts: number; completions: number }
  byDay: { starts: number }[]
  uncounted?: { from: string; to: string }
}

const analyticsOf = async (botId: string, query = "timeFilter=allTime"): Promise<Answer> =>
  (await server.send("GET", `/api/v1/bots/${botId}/analytics?${query}`)).body as Answer

for (const daysAgo of [2, 3]) await addResults(large.botId, daysAgo, perDay)
for (const daysAgo of [2, 5]) await addResults(small.botId, daysAgo, 3)

test("a call counts the newest 50,000 results now, and says which are missing", async () => {
  const { totals, byDay, uncounted } = await analyticsOf(large.botId)
  expect(totals.starts).toBe(50_000)
  expect(byDay).toMatchObject([{ starts: 20_000 }, { starts: perDay }])
  const toMs = startOf(3) + (10_000 * dayMs) / perDay
  expect(uncounted).toEqual({
    from: new Date(startOf(3)).toISOString(),
    to: new Date(toMs).toISOString(),
  })
  const rest = await analyticsOf(large.botId, `from=2020-01-01&to=${uncounted?.to}`)
  expect(rest.totals.starts).toBe(10_000)
  expect(rest).not.toHaveProperty("uncounted")
  const few = await analyticsOf(small.botId)
  expect(few.totals.starts).toBe(6)
  expect(few).not.toHaveProperty("uncounted")
})

test("a count that was cut short continues, small bots come first, and a large one takes turns", async () => {
  const stop = new AbortController()
  const clock = { calls: 0 }
  const now = () => {
    clock.calls++
    // Of the days, the small bot, and the first part with the rest of its last quarter: the next part.
    if (clock.calls === 5) stop.abort()
    return Date.now()
  }
  await expect(runJob(db, "count_analytics", { now, signal: stop.signal })).rejects.toThrow()
  const voids = async () =>
    (await db.pool.query("select bot_id as id from analytics_voids")).rows.map(({ id }) => id)
  expect(await voids()).toEqual([large.botId])
  const parts = await db.pool.query(
    "select min(quarter)::float8 * 900000 as ms, count(*)::int from analytics_counts where bot_id = $1",
    [large.botId],
  )
  expect(parts.rows[0].count).toBe(1)
  // A day of which only a part is stored is counted now, all of it.
  expect((await analyticsOf(large.botId)).totals.starts).toBe(50_000)
  await db.pool.query(
    "update results set is_completed = true where bot_id = $1 and created_at >= to_timestamp($2 / 1000.0)",
    [large.botId, parts.rows[0].ms],
  )
  await runJob(db, "count_analytics")
  const whole = await analyticsOf(large.botId)
  // The stored part was not counted again.
  expect(whole.totals).toMatchObject({ starts: 2 * perDay, completions: 0 })
  expect(whole.byDay).toMatchObject([{ starts: perDay }, { starts: perDay }])
  expect(whole).not.toHaveProperty("uncounted")
  expect(await voids()).toEqual([])
  const first = (daysAgo: number) => startOf(daysAgo) / 900_000
  const older = await db.pool.query(
    `select count(*)::int as later from analytics_counts large, analytics_counts small
    where large.bot_id = $1 and large.quarter = $2 and small.bot_id = $3 and small.quarter = $4
      and large.xmin::text::bigint > small.xmin::text::bigint`,
    [large.botId, first(3), small.botId, first(5)],
  )
  expect(older.rows).toEqual([{ later: 1 }])
})

test("a deletion between two parts discards those that are stored", async () => {
  await db.pool.query("delete from analytics_days")
  const stop = new AbortController()
  let calls = 0
  const now = () => {
    if (++calls === 5) stop.abort()
    return Date.now()
  }
  await expect(runJob(db, "count_analytics", { now, signal: stop.signal })).rejects.toThrow()
  const { rows } = await db.pool.query(
    "select result_id as id from results where bot_id = $1 order by result_id desc limit 1",
    [large.botId],
  )
  const path = `/api/v1/bots/${large.botId}/results?resultIds=${rows[0].id}`
  expect((await server.send("DELETE", path)).status).toBe(200)
  await runJob(db, "count_analytics")
  const { totals } = await analyticsOf(large.botId)
  expect(totals.starts).toBe(2 * perDay - 1)
})
