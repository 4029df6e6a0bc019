/** The numbers of a bot: what they say of chats over REST, live and counted ahead. */
import { describe, expect, test } from "vitest"
import { saveTurn } from "../../src/db/chats/sessions.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { firstUuidAt, newSessionId, newUuid } from "../../src/lib/ids.ts"
import { ageResults } from "../support/ageResults.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl })
const db = await openDatabase({ url: databaseUrl, poolSize: 2 })

const flow = bot(
  { settings: { general: { rememberUser: { isEnabled: true } } } },
  group(
    "Colour",
    say("Hi"),
    ask.choice(["Red", { content: "Blue", to: "Why" }], { id: "colour", to: "Bye" }),
  ),
  group("Why", ask.text({ id: "why", to: "Bye" })),
  group("Bye", say("Bye")),
)

const noTokens = { inputTokens: 0, outputTokens: 0 }

type Count = "shown" | "answered" | "dropped" | "open"

const numbersOf = async (botId: string, query = "") =>
  (await server.send("GET", `/api/v1/bots/${botId}/analytics?timeFilter=allTime${query}`)).body as {
    totals: object
    byDay: object[]
    byVersion: object[]
    blocks: ({ blockId: string; botId?: string } & Record<Count, number>)[]
    edges: { edgeId: string; count: number }[]
    answers: Record<string, object[]>
  }

test("starts, ends, questions, edges and choices add up", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const red = await chatOver(server, publicId)
  await red.say("Red")
  const blue = await chatOver(server, publicId)
  await blue.say("no colour")
  await blue.say("Blue")
  const asked = await chatOver(server, publicId)
  await db.pool.query(
    "update chat_sessions set expires_at = now() - interval '1 s' where id = $1",
    [asked.step.sessionId],
  )
  const numbers = await numbersOf(botId)
  expect(numbers.totals).toMatchObject({
    starts: 3,
    completions: 1,
    completionRate: 1 / 3,
    medianSeconds: expect.any(Number),
  })
  expect(numbers.byVersion).toEqual([
    { version: 1, starts: 3, completions: 1, completionRate: 1 / 3 },
  ])
  expect(numbers.blocks).toMatchObject([
    { blockId: "colour", shown: 3, answered: 2, dropped: 1, open: 0, dropOffRate: 1 / 3 },
    { blockId: "why", shown: 1, answered: 0, dropped: 0, open: 1, dropOffRate: 0 },
  ])
  expect(numbers.edges.map(({ count }) => count).toSorted()).toEqual([1, 1, 3])
  expect(numbers.answers).toEqual({
    colour: [
      { value: "Blue", count: 1 },
      { value: "Red", count: 1 },
    ],
  })
})

test("later chats of one result, on another version too, are counted where they ran", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const first = await chatOver(server, publicId)
  await first.say("Red")
  const { resultId } = first.step
  await (await chatOver(server, publicId, { resultId })).say("Red")
  const groups = flow.groups.map((each) => ({ ...each, title: `New ${each.title}` }))
  await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { groups } } })
  await server.send("POST", `/api/v1/bots/${botId}/publish`)
  await (await chatOver(server, publicId, { resultId })).say("Blue")
  const [one, two] = [await numbersOf(botId, "&version=1"), await numbersOf(botId, "&version=2")]
  expect(one.totals).toMatchObject({ starts: 1, completions: 1 })
  expect(one.blocks).toMatchObject([{ shown: 2, answered: 2 }, { shown: 0 }])
  expect(two.totals).toMatchObject({ starts: 0 })
  expect(two.blocks).toMatchObject([
    { shown: 1, answered: 1 },
    { shown: 1, open: 1 },
  ])
  expect((await numbersOf(botId)).blocks).toMatchObject([
    { shown: 3, answered: 3 },
    { shown: 1, open: 1 },
  ])
})

test("linked bots are counted as their visitors saw them, in whose results they may be", async () => {
  const questions = [ask.choice(["Red", "Blue"], { id: "colour" }), ask.text({ id: "why" })]
  const merged = await publishBot(server, bot(group("Kid", ...questions)))
  const apart = await publishBot(server, bot(group("Kid", ...questions)))
  const parent = await publishBot(
    server,
    bot(
      group(
        "Parent",
        ask.text({ id: "name" }),
        link(merged.botId, { mergeResults: true }),
        link(apart.botId, { mergeResults: false }),
        ask.text({ id: "why" }),
      ),
    ),
  )
  const asked = [
    [parent, "name"],
    [merged, "colour"],
    [merged, "why"],
    [apart, "colour"],
    [apart, "why"],
    [parent, "why"],
  ] as const
  const chats: { replies: number; isExpired: boolean }[] = []
  for (let replies = 0; replies <= asked.length; replies++) {
    for (const isExpired of [false, true, false]) chats.push({ replies, isExpired })
  }
  for (const { replies, isExpired } of chats) {
    const chat = await chatOver(server, parent.publicId)
    for (let index = 0; index < replies; index++) {
      expect((await chat.say(index % 2 ? "Red" : "Blue")).status).toBe(200)
    }
    if (!isExpired) continue
    await db.pool.query(
      "update chat_sessions set expires_at = now() - interval '1 s' where id = $1",
      [chat.step.sessionId],
    )
  }
  const recount = (index: number) => {
    const open = chats.filter(({ replies, isExpired }) => replies === index && !isExpired).length
    const dropped = chats.filter(({ replies, isExpired }) => replies === index && isExpired).length
    const answered = chats.filter(({ replies }) => replies > index).length
    return { shown: answered + open + dropped, answered, dropped, open }
  }
  const counted = async ({ botId }: { botId: string }) => {
    const { blocks } = await numbersOf(botId)
    return blocks.map(({ botId: linked = botId, blockId, shown, answered, dropped, open }) => [
      `${linked} ${blockId}`,
      { shown, answered, dropped, open },
    ])
  }
  const expected = (...bots: unknown[]) =>
    asked.flatMap(([of, blockId], index) =>
      bots.includes(of) ? [[`${of.botId} ${blockId}`, recount(index)]] : [],
    )
  expect(await counted(parent)).toEqual([...expected(parent), ...expected(merged)])
  expect(await counted(apart)).toEqual(expected(apart))
  expect(await counted(merged)).toEqual([])
  expect((await numbersOf(parent.botId)).answers).toEqual({ colour: [{ value: "Red", count: 15 }] })
  const { blocks } = await numbersOf(parent.botId, "&version=1")
  expect(blocks).toEqual((await numbersOf(parent.botId)).blocks)
})

test("who waits in a linked bot with results of its own is open there alone, also where it was linked before", async () => {
  const kid = await publishBot(server, bot(group("Kid", ask.text({ id: "why" }))))
  const parent = await publishBot(
    server,
    bot(
      group(
        "Parent",
        ask.text({ id: "name" }),
        link(kid.botId, { mergeResults: true }),
        link(kid.botId, { mergeResults: false }),
      ),
    ),
  )
  const chat = await chatOver(server, parent.publicId)
  for (const text of ["Ann", "Because"]) await chat.say(text)
  const why = { blockId: "why", shown: 1, dropped: 0 }
  const { blocks } = await numbersOf(parent.botId)
  expect(blocks).toMatchObject([{ blockId: "name" }, { ...why, answered: 1, open: 0 }])
  expect((await numbersOf(kid.botId)).blocks).toMatchObject([{ ...why, answered: 0, open: 1 }])
})

test("what was counted ahead says the same, and is forgotten with its results", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  for (const said of ["Red", "Blue", "Red"]) await (await chatOver(server, publicId)).say(said)
  await ageResults(db, botId, 5)
  const live = await numbersOf(botId)
  expect(live.totals).toMatchObject({ starts: 3, completions: 2 })
  const counts = await runJob(db, "count_analytics")
  expect(counts.days).toBeGreaterThan(0)
  const { rows } = await db.pool.query("select * from analytics_counts where bot_id = $1", [botId])
  expect(rows.length).toBeGreaterThan(0)
  expect(await numbersOf(botId)).toEqual(live)
  expect(await runJob(db, "count_analytics")).toEqual({ days: 0, voids: 0 })
  // It is what was counted, and not a count of now.
  await db.pool.query("update results set is_completed = true where bot_id = $1", [botId])
  expect(await numbersOf(botId)).toEqual(live)
  await server.send("DELETE", `/api/v1/bots/${botId}/results?all=true`)
  expect(await numbersOf(botId)).toMatchObject({ totals: { starts: 0 }, blocks: [], answers: {} })
})

test("a deletion while a day is counted makes that count void", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  await (await chatOver(server, publicId)).say("Red")
  await ageResults(db, botId, 4)
  const path = `/api/v1/bots/${botId}/results?all=true`
  let transactions = 0
  const kysely = new Proxy(db.kysely, {
    get(target, name) {
      // The first one begins the count, the second one saves it.
      if (name === "transaction" && ++transactions === 2) {
        return () => ({
          execute: async (work: never) => {
            await server.send("DELETE", path)
            return await target.transaction().execute(work)
          },
        })
      }
      const member = Reflect.get(target, name)
      return typeof member === "function" ? member.bind(target) : member
    },
  })
  await runJob({ ...db, kysely }, "count_analytics")
  expect(transactions).toBeGreaterThan(1)
  expect((await numbersOf(botId)).totals).toMatchObject({ starts: 0 })
})

test("a deletion makes the day of its own bot void, and the job counts it anew", async () => {
  const [one, other] = [await publishBot(server, flow), await publishBot(server, flow)]
  for (const { botId, publicId } of [one, other]) {
    for (const said of ["Red", "Blue"]) await (await chatOver(server, publicId)).say(said)
    await ageResults(db, botId, 6)
  }
  await runJob(db, "count_analytics")
  const { rows } = await db.pool.query(
    "select result_id as id from results where bot_id = $1 and is_completed",
    [one.botId],
  )
  await server.send("DELETE", `/api/v1/bots/${one.botId}/results?resultIds=${rows[0].id}`)
  expect(await numbersOf(one.botId)).toMatchObject({ totals: { starts: 1, completions: 0 } })
  const voids = async () =>
    (await db.pool.query("select bot_id as id from analytics_voids")).rows.map(({ id }) => id)
  expect(await voids()).toEqual([one.botId])
  // The other one's day is what was counted, and not a count of now.
  await db.pool.query("update results set is_completed = true where bot_id = $1", [other.botId])
  expect(await numbersOf(other.botId)).toMatchObject({ totals: { starts: 2, completions: 1 } })
  expect(await runJob(db, "count_analytics")).toEqual({ days: 0, voids: 1 })
  expect(await voids()).toEqual([])
  expect(await numbersOf(one.botId)).toMatchObject({ totals: { starts: 1, completions: 0 } })
})

test("a day is counted an hour after it is over, and again when that was twice as long ago", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  await (await chatOver(server, publicId)).say("Red")
  await ageResults(db, botId, 12)
  await runJob(db, "count_analytics")
  const endMs = Math.floor(Date.now() / 86_400_000 - 11) * 86_400_000
  const day = new Date(endMs - 86_400_000).toISOString().slice(0, 10)
  const countedAt = (hours: number) =>
    db.pool.query("update analytics_days set counted_at = $2 where day = $1", [
      day,
      new Date(endMs + hours * 3_600_000),
    ])
  const daysAfter = async (hours: number) =>
    await runJob(db, "count_analytics", { now: () => endMs + hours * 3_600_000 })
  await db.pool.query("delete from analytics_days where day = $1", [day])
  expect(await daysAfter(0.9)).toMatchObject({ days: 0 })
  expect(await daysAfter(1.1)).toMatchObject({ days: 1 })
  await countedAt(3)
  expect(await daysAfter(5)).toMatchObject({ days: 0 })
  expect(await daysAfter(6)).toMatchObject({ days: 1 })
})

test("counts of versions before 0.2.0 hold until the job counts anew", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  for (const said of ["Red", "Blue"]) await (await chatOver(server, publicId)).say(said)
  // Older than all days that were counted before.
  await ageResults(db, botId, 15)
  await runJob(db, "count_analytics")
  const now = await numbersOf(botId, "&timeZone=Asia/Kathmandu")
  expect(now.totals).toMatchObject({ starts: 2, completions: 1 })
  // A row for each quarter of an hour, with sums in place of numbers by quarter.
  await db.pool.query(
    `update analytics_counts set quarter = (select key::int from jsonb_each(counts->'startsAt') limit 1),
    counts = counts - 'startsAt' - 'completionsAt' || jsonb_build_object(
      'starts', (select sum(value::int) from jsonb_each_text(counts->'startsAt')),
      'completions', (select sum(value::int) from jsonb_each_text(counts->'completionsAt')))
    where bot_id = $1`,
    [botId],
  )
  expect(await numbersOf(botId, "&timeZone=Asia/Kathmandu")).toEqual(now)
})

describe("a deletion that fails before its days are void deletes nothing, and may come again", () => {
  const ways = {
    "of the API": async (botId: string) => {
      const reply = await server.send("DELETE", `/api/v1/bots/${botId}/results?all=true`)
      return reply.status === 200
    },
    "by age": () =>
      runJob(db, "purge_results", { resultRetentionDays: 3 }).then(
        () => true,
        () => false,
      ),
  }
  // Of ages whose days no test has counted before.
  let days = 20
  test.each(Object.entries(ways))("%s", async (_, remove) => {
    const { botId, publicId } = await publishBot(server, flow)
    await (await chatOver(server, publicId)).say("Red")
    await ageResults(db, botId, ++days)
    await runJob(db, "count_analytics")
    await db.pool.query("alter table analytics_voids add constraint broken check (false) not valid")
    const isDone = await remove(botId).finally(() =>
      db.pool.query("alter table analytics_voids drop constraint broken"),
    )
    expect(isDone).toBe(false)
    expect((await numbersOf(botId)).totals).toMatchObject({ starts: 1 })
    expect(await remove(botId)).toBe(true)
    expect((await numbersOf(botId)).totals).toMatchObject({ starts: 0 })
  })
})

test("days are those of the time zone, also where clocks change", async () => {
  const { botId } = await publishBot(server, flow)
  const versions = await db.pool.query("select id from bot_versions where bot_id = $1", [botId])
  const versionId: string = versions.rows[0].id
  const starts = [
    "2026-03-28T22:59:00Z",
    "2026-03-28T23:00:00Z",
    "2026-03-29T21:59:00Z",
    "2026-03-29T22:00:00Z",
  ]
  for (const time of starts) {
    const resultId = firstUuidAt(Date.parse(time)).slice(0, 14) + newUuid().slice(14)
    const result = { variables: [], hasStarted: false, isCompleted: false }
    const rows = { botId, versionId, result }
    const sessionId = newSessionId(resultId)
    await saveTurn(db, { resultId, sessionId, revision: null, state: "{}", rows })
  }
  const daysIn = async (zone: string) => (await numbersOf(botId, `&timeZone=${zone}`)).byDay
  const of = (day: string, starts: number) => ({ day, starts, completions: 0, ...noTokens })
  expect(await daysIn("Europe/Berlin")).toEqual([
    of("2026-03-28", 1),
    of("2026-03-29", 2),
    of("2026-03-30", 1),
  ])
  expect(await daysIn("UTC")).toEqual([of("2026-03-28", 2), of("2026-03-29", 2)])
  expect(await daysIn("Asia/Kathmandu")).toEqual([of("2026-03-29", 2), of("2026-03-30", 2)])
  await runJob(db, "count_analytics", { now: () => Date.parse("2026-04-03T00:00:00Z") })
  expect(await daysIn("Asia/Kathmandu")).toEqual([of("2026-03-29", 2), of("2026-03-30", 2)])
})

test("a bot without chats has numbers, and what is unknown is refused", async () => {
  const { botId } = await publishBot(server, flow)
  expect(await numbersOf(botId)).toEqual({
    totals: { starts: 0, completions: 0, completionRate: 0, ...noTokens, modelCalls: 0 },
    byDay: [],
    byVersion: [],
    blocks: [],
    edges: [],
    answers: {},
    models: [],
  })
  const statusOf = async (query: string) =>
    (await server.send("GET", `/api/v1/bots/${botId}/analytics?${query}`)).status
  expect(await statusOf("version=9")).toBe(404)
  expect(await statusOf("timeZone=Mars/Olympus")).toBe(400)
  expect(await statusOf("timeFilter=always")).toBe(400)
})
