/** Results between two moments, and when the completed ones ended. */
import { parse } from "csv-parse/sync"
import { expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { recordChat } from "../support/people.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })

const at = (time: string) => new Date(time)
const midnight = "2026-03-01T23:00:00.000Z"

/** Chats around midnight in Berlin, oldest first, and within the days that it divides. */
const times = [
  "2026-02-28T22:59:59.999Z",
  "2026-02-28T23:00:00.000Z",
  "2026-03-01T10:07:00.000Z",
  "2026-03-01T22:59:59.999Z",
  midnight,
  "2026-03-02T12:00:00.000Z",
]

async function recorded() {
  const { botId } = await publishBot(server, bot(group("A", ask.text())))
  const ids: string[] = []
  for (const time of times) {
    ids.push((await recordChat(database, { botId, startedAt: at(time) })).resultId)
  }
  const get = async (what: string, query: Record<string, string>) =>
    await server.send("GET", `/api/v1/bots/${botId}/${what}?${new URLSearchParams(query)}`)
  /** The places of the chats that list, export and analytics agree on. */
  const found = async (query: Record<string, string>) => {
    const listed = await get("results", query)
    const results = listed.body.results as { id: string }[]
    const path = `/api/v1/bots/${botId}/results/export`
    const file = await fetch(
      `${server.address}${path}?${new URLSearchParams({ ...query, format: "ndjson" })}`,
      { headers: { authorization: `Bearer ${server.token}` } },
    )
    const lines = (await file.text()).split("\n").filter(Boolean)
    const { totals } = (await get("analytics", query)).body as { totals: { starts: number } }
    expect([lines.length, totals.starts]).toEqual([results.length, results.length])
    return results.map(({ id }) => ids.indexOf(id)).reverse()
  }
  return { get, found }
}

const spans: [Record<string, string>, number[]][] = [
  [{ from: "2026-03-01", to: "2026-03-01", timeZone: "Europe/Berlin" }, [1, 2, 3]],
  [{ from: "2026-03-01", to: "2026-03-01" }, [2, 3, 4]],
  [{ from: "2026-03-02", timeZone: "Europe/Berlin" }, [4, 5]],
  [{ to: "2026-02-28" }, [0, 1]],
  [{ from: "2026-03-01T10:07:00Z", to: "2026-03-01T10:07:00.001Z" }, [2]],
  [{ from: "2026-03-01T10:07:00.001Z", to: midnight }, [3]],
  [{ from: "2026-03-02T00:00:00+01:00", to: "2026-03-02" }, [4, 5]],
  [{ from: "2026-03-01", to: "2026-03-01T10:07:00Z" }, []],
  [{ from: "2030-01-01" }, []],
]

test("list, export and analytics take days of a zone, and times to the millisecond", async () => {
  const { found } = await recorded()
  for (const [query, places] of spans)
    expect(await found(query), JSON.stringify(query)).toEqual(places)
  // Whole days are counted ahead, but not what a time cuts off one.
  await runJob(database, "count_analytics")
  for (const [query, places] of spans)
    expect(await found(query), JSON.stringify(query)).toEqual(places)
})

test("a span that makes no sense is refused, with the member that is wrong", async () => {
  const { get } = await recorded()
  const both = "Send `timeFilter`, or `from` and `to`, but not both"
  const order = "`from` must be before `to`"
  const cases: [Record<string, string>, string, string][] = [
    [{ timeFilter: "today", from: "2026-03-01" }, "timeFilter", both],
    [{ from: "2026-03-02", to: "2026-03-01" }, "from", order],
    [{ from: midnight, to: midnight }, "from", order],
    [{ from: "yesterday" }, "from", "must be a day such as 2026-03-01 or a time"],
    [{ to: "2026-02-30" }, "to", "must be a day such as 2026-03-01 or a time"],
    [{ to: "2026-03-01T10:00:00" }, "to", "must be a day such as 2026-03-01 or a time"],
    [{ from: "2026-03-01", timeZone: "Mars" }, "timeZone", "timeZone must be an IANA time zone"],
  ]
  for (const what of ["results", "results/export", "analytics"]) {
    for (const [query, member, message] of cases) {
      const { status, body } = await get(what, query)
      expect([what, query, status]).toEqual([what, query, 400])
      expect(body.message).toContain(message)
      expect(body.issues).toMatchObject([{ path: [member] }])
    }
  }
})

test("a completed result says when its last answer was given, and how long that took", async () => {
  const flow = bot(group("A", ask.text(), ask.text(), say("Bye")))
  const { botId, publicId } = await publishBot(server, flow)
  const open = await chatOver(server, publicId)
  await open.say("Ann")
  const over = await chatOver(server, publicId)
  for (const text of ["Bob", "x"]) await over.say(text)
  const { resultId } = over.step
  const createdAt = "2026-03-01T10:00:00.000Z"
  const endedAt = "2026-03-01T10:01:30.999Z"
  const set = (table: string, column: string, time: string, where = "") =>
    database.pool.query(
      `update ${table} set ${column} = '${time}' where result_id = '${resultId}' ${where}`,
    )
  await set("results", "created_at", createdAt)
  await set("answers", "created_at", createdAt, "and idx = 0")
  await set("answers", "created_at", endedAt, "and idx = 1")
  const path = `/api/v1/bots/${botId}/results`
  const { body } = await server.send("GET", path)
  const [completed, partial] = body.results as [object, object]
  expect(completed).toMatchObject({ id: resultId, createdAt, endedAt, durationSeconds: 90 })
  for (const member of ["endedAt", "durationSeconds"]) expect(partial).not.toHaveProperty(member)
  const one = await server.send("GET", `${path}/${resultId}`)
  expect(one.body.result).toEqual(completed)
  const counted = await server.send("GET", `/api/v1/bots/${botId}/analytics`)
  expect(counted.body).toMatchObject({ totals: { medianSeconds: 90 } })
  const file = await fetch(`${server.address}${path}/export`, {
    headers: { authorization: `Bearer ${server.token}` },
  })
  const [header = [], ...rows] = parse(await file.text(), { bom: true }) as string[][]
  const cells = rows.map((row) => ["ended", "seconds"].map((title) => row[header.indexOf(title)]))
  expect(cells).toEqual([
    [endedAt, "90"],
    ["", ""],
  ])
})
