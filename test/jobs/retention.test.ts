/** Bots that keep results for a time of their own, and bots that keep nothing. */
import { expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { noFiles, runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl })
const db = await openDatabase({ url: databaseUrl, poolSize: 2 })

const flowThatKeeps = (retentionDays?: number) =>
  bot(
    { settings: { sessions: { ...(retentionDays !== undefined && { retentionDays }) } } },
    group("g", ask.text({ id: "a" }), say("Thanks"), ask.text({ id: "b" })),
  )

const dayMs = 86_400_000
const forgetAfter = async (ms: number) => {
  const removed: string[] = []
  const files = {
    ...noFiles,
    deleteResultFiles: async ({ resultId }: { resultId: string }) => void removed.push(resultId),
  }
  const counts = await runJob(db, "forget_results", { now: () => Date.now() + ms, files })
  return { ...counts, removed }
}

async function rowsOf(resultId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of ["results", "answers", "result_steps", "logs", "idempotency"]) {
    const { rows } = await db.pool.query(`select 1 from ${table} where result_id = $1`, [resultId])
    counts[table] = rows.length
  }
  return counts
}

async function chatsOfMonth(): Promise<number> {
  await runJob(db, "count_usage")
  const { rows } = await db.pool.query("select sum(chats)::int as chats from workspace_usage")
  return rows[0].chats ?? 0
}

test("of a chat that is over nothing stays where 0 days are kept, but that it was", async () => {
  const { botId, publicId } = await publishBot(server, flowThatKeeps(0))
  const before = await chatsOfMonth()
  const over = await chatOver(server, publicId)
  await over.say("secret", { "idempotency-key": "k" })
  await over.say("more secret")
  const open = await chatOver(server, publicId)
  await open.say("still here")
  const { removed } = await forgetAfter(61_000)
  expect(removed).toEqual([over.step.resultId])
  expect(await rowsOf(over.step.resultId)).toEqual({
    results: 1,
    answers: 0,
    result_steps: 0,
    logs: 0,
    idempotency: 0,
  })
  const { rows } = await db.pool.query(
    "select variables, is_archived from results where result_id = $1",
    [over.step.resultId],
  )
  expect(rows).toEqual([{ variables: [], is_archived: true }])
  expect((await open.say("the end")).status).toBe(200)
  expect((await forgetAfter(61_000)).removed).toEqual([open.step.resultId])
  expect(await chatsOfMonth()).toBe(before + 2)
  const { body } = await server.send("GET", `/api/v1/bots/${botId}/results?timeFilter=allTime`)
  expect(body.results).toEqual([])
})

test("the last answer of a chat of any length stays for a minute, for repetitions", async () => {
  const { publicId } = await publishBot(server, flowThatKeeps(0))
  const { step, say } = await chatOver(server, publicId)
  const key = { "idempotency-key": "last" }
  await say("one")
  const last = await say("two", key)
  // As if it had continued for half a minute.
  for (const table of ["answers", "result_steps"]) {
    await db.pool.query(`update ${table} set created_at = $2 where result_id = $1`, [
      step.resultId,
      new Date(Date.now() + 30_000),
    ])
  }
  expect((await forgetAfter(61_000)).removed).toEqual([])
  expect((await say("two", key)).body).toEqual(last.body)
  expect((await forgetAfter(91_000)).removed).toEqual([step.resultId])
  expect(await rowsOf(step.resultId)).toMatchObject({ answers: 0, idempotency: 0 })
})

test("a chat that fell silent is over as well", async () => {
  const { publicId } = await publishBot(server, flowThatKeeps(0))
  const { step, say } = await chatOver(server, publicId)
  await say("one")
  expect((await forgetAfter(dayMs)).removed).toEqual([])
  expect((await forgetAfter(3 * dayMs)).removed).toContain(step.resultId)
})

test("a result of a linked bot stays as long as the chat that it belongs to", async () => {
  const kid = await publishBot(server, flowThatKeeps(0))
  const parent = await publishBot(
    server,
    bot(group("p", say("Hi"), link(kid.botId, { mergeResults: false }), ask.text())),
  )
  const chat = await chatOver(server, parent.publicId)
  await chat.say("one")
  expect((await forgetAfter(61_000)).removed).toEqual([])
  await chat.say("two")
  await chat.say("three")
  expect((await forgetAfter(61_000)).removed).toHaveLength(1)
})

test("results go after their days, and those of other bots stay", async () => {
  const short = await publishBot(server, flowThatKeeps(10))
  const usual = await publishBot(server, flowThatKeeps())
  const [old, kept] = await Promise.all(
    [short, usual].map(async ({ publicId }) => {
      const chat = await chatOver(server, publicId)
      await chat.say("one")
      await chat.say("two")
      return chat.step.resultId
    }),
  )
  expect((await forgetAfter(9 * dayMs)).removed).not.toContain(old)
  expect((await forgetAfter(11 * dayMs)).removed).toContain(old)
  expect(await rowsOf(old ?? "")).toMatchObject({ results: 0, answers: 0 })
  expect(await rowsOf(kept ?? "")).toMatchObject({ results: 1, answers: 2 })
})

test("the retention of the live version counts for all results", async () => {
  const { botId, publicId } = await publishBot(server, flowThatKeeps())
  const chat = await chatOver(server, publicId)
  await chat.say("one")
  await chat.say("two")
  expect((await forgetAfter(61_000)).removed).toEqual([])
  const { settings } = flowThatKeeps(0)
  await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { settings } } })
  await server.send("POST", `/api/v1/bots/${botId}/publish`)
  expect((await forgetAfter(61_000)).removed).toContain(chat.step.resultId)
})

test("days are whole numbers, and not negative", async () => {
  const { botId } = await publishBot(server, flowThatKeeps())
  for (const retentionDays of [-1, 0.5, 4_000, "1"]) {
    const body = { bot: { settings: { sessions: { retentionDays } } } }
    expect((await server.send("PATCH", `/api/v1/bots/${botId}`, { body })).status).toBe(400)
  }
})
