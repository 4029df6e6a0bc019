/** However much was chosen, and however long the texts are, what is counted of it stays small. */
import { expect, test } from "vitest"
import { firstUuidAt } from "../../src/lib/ids.ts"
import { createSums } from "../../src/results/createSums.ts"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const db = await testDatabase()
const server = await testServer({ DATABASE_URL: db.url })
const flow = bot(group("g", ask.choice(["Red", "Blue"], { id: "colour" })))
const dayMs = 86_400_000

test("a chat that chose hundreds of long texts does not fill the counts of its bot", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  await (await chatOver(server, publicId)).say("Red")
  await (await chatOver(server, publicId)).say("Red")
  const long = await chatOver(server, publicId)
  await long.say("Blue")
  await db.pool.query(
    `insert into answers (result_id, idx, block_id, content)
    select $1, n, 'colour', n || repeat('x', 100000) from generate_series(10, 209) n`,
    [long.step.resultId],
  )
  const read = async () =>
    (await server.send("GET", `/api/v1/bots/${botId}/analytics?timeFilter=allTime`)).body
  const chosen = {
    colour: [
      { value: "Red", count: 2 },
      { value: "Blue", count: 1 },
    ],
  }
  expect((await read()).answers).toEqual(chosen)
  await runJob(db, "count_analytics", { now: () => Date.now() + 4 * dayMs })
  const { rows } = await db.pool.query(
    "select max(octet_length(counts::text)) as bytes from analytics_counts where bot_id = $1",
    [botId],
  )
  expect(rows[0].bytes).toBeLessThan(100_000)
})

test("counts of many days do not add up to more than an answer may read", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const { resultId } = (await chatOver(server, publicId)).step
  const days = 4
  const today = Math.floor(Date.now() / dayMs)
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started)
    select $2, bot_id, version_id, true from results where result_id = $1`,
    [resultId, firstUuidAt((today - days) * dayMs)],
  )
  await db.pool.query("delete from analytics_days")
  await db.pool.query(
    `insert into analytics_days (day, count_id, counted_at)
    select date '1970-01-01' + $1::int - n, gen_random_uuid(), now() from generate_series(1, $2::int) n`,
    [today, days],
  )
  await db.pool.query(
    `insert into analytics_counts (bot_id, quarter, version_id, counts)
    select $1, 96 * ($2::int - n), (select version_id from results where bot_id = $1 limit 1),
      jsonb_build_object('choices', jsonb_build_object('colour', jsonb_build_object(
        'Red', 5, n || repeat('x', 6000000), 1)))
    from generate_series(1, $3::int) n`,
    [botId, today, days],
  )
  const { body } = await server.send("GET", `/api/v1/bots/${botId}/analytics?timeFilter=allTime`)
  const { colour } = body.answers as { colour: { count: number }[] }
  expect(colour.map(({ count }) => count)).toEqual([20, 1, 1])
})

test("pages of results do not add up to more", () => {
  const sums = createSums()
  const row = { botId: "b", versionId: "v", part: "choices", block: "colour", count: 1 } as const
  for (let n = 0; n < 40; n++) sums.add([{ ...row, name: `${n}${"x".repeat(1_000_000)}` }])
  sums.add([{ ...row, name: `0${"x".repeat(1_000_000)}` }])
  const { choices } = sums.all()[0]?.counts ?? {}
  const counts = Object.values(choices?.colour ?? {})
  expect(counts).toHaveLength(15)
  expect(counts[0]).toBe(2)
})
