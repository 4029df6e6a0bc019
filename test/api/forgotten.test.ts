/** After an erasure a person is nowhere: not in any column of any table, nor in any file. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { tablesOfResults } from "../../src/db/results/purge.ts"
import { ask, bot, group, onReply, say, set } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { columnsWith } from "../support/tablesWith.ts"
import {
  columnsOfOurs,
  columnsOfTraces,
  filesWith,
  holdEvents,
  leaveTraces,
  person,
} from "../support/traces.ts"

const databaseUrl = await testDatabaseUrl()
const uploads = mkdtempSync(join(tmpdir(), "parley-forgotten-"))
afterAll(() => rmSync(uploads, { recursive: true, force: true }))
const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
await holdEvents(db)
const server = await testServer({ DATABASE_URL: databaseUrl, PARLEY_DATA: uploads })
const { workspaceId } = server

/** Results found by bot, however many calls the search takes. */
async function erase(parts: object): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let cursor: unknown; ; ) {
    const path = `/api/v1/workspaces/${workspaceId}/erase`
    const reply = await server.send("POST", path, { body: { ...parts, cursor } })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    const bots = reply.body.bots as { botId: string; results: number }[]
    for (const { botId, results } of bots) counts[botId] = (counts[botId] ?? 0) + results
    if (reply.body.nextCursor === undefined) return counts
    cursor = reply.body.nextCursor
  }
}

test("of a person who has left traces everywhere none is left", async () => {
  const counts = await leaveTraces({ server, db })
  expect(await columnsWith(db, person)).toEqual(columnsOfTraces)
  expect(await filesWith(uploads, person)).toHaveLength(1)
  expect(await erase({ value: person })).toEqual(counts)
  expect(await columnsWith(db, person)).toEqual(columnsOfTraces)
  expect(await erase({ value: person, dryRun: false })).toEqual(counts)
  expect(await columnsWith(db, person)).toEqual([])
  expect(await filesWith(uploads, person)).toEqual([])
})

test("every table and column of chats is among those, so that a new one is not forgotten", async () => {
  const { rows } = await db.pool.query<{ table: string; column: string; type: string }>(
    `select table_name as table, column_name as column, data_type as type
    from information_schema.columns where table_schema = 'public' and table_name in (
      select table_name from information_schema.columns where column_name = 'result_id')
    order by 1, 2`,
  )
  const toCamelCase = (name: string) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())
  const tables = [...new Set(rows.map(({ table }) => toCamelCase(table)))]
  // Keys of starts are kept as hashes, for a day.
  expect(tables.filter((table) => table !== "results" && table !== "startKeys")).toEqual(
    tablesOfResults.toSorted(),
  )
  const isText = (type: string) => ["text", "jsonb", "ARRAY"].includes(type)
  const texts = rows
    .filter(({ column, type }) => isText(type) && !/(^|_)(id|type)$/.test(column))
    .map(({ table, column }) => `${table}.${column}`)
  const known = [...columnsOfTraces, ...columnsOfOurs]
  expect(texts.filter((name) => !known.includes(name))).toEqual([])
})

test("what was said only while a chat was paused is found", async () => {
  const published = await publishBot(server, bot(group("g", ask.text(), ask.text())))
  const { send, change } = conversationOf(server, published, "telegram:1")
  await send("hello")
  await change({ state: "paused" })
  await send(person.toUpperCase())
  await send("somebody else")
  expect(await columnsWith(db, person)).toEqual(["kept_messages.message"])
  expect(await erase({ value: person, dryRun: false })).toEqual({ [published.botId]: 1 })
  expect(await columnsWith(db, "somebody else")).toEqual([])
  expect(await columnsWith(db, person)).toEqual([])
})

test("a value that a variable had before another one is found", async () => {
  const flow = bot(
    { variables: { Copy: null } },
    group("g", set("Copy", person), say("Hi {{Copy}}"), set("Copy", "nobody"), ask.text()),
  )
  const { botId, publicId } = await publishBot(server, flow)
  await chatOver(server, publicId)
  const columns = ["result_steps.set_variables", "result_steps.shown"]
  expect(await columnsWith(db, person)).toEqual(columns)
  expect(await erase({ value: person, dryRun: false })).toEqual({ [botId]: 1 })
  expect(await columnsWith(db, person)).toEqual([])
})

test("what was only said to an event, or shown by code, is found", async () => {
  const listening = bot(
    { events: [{ ...onReply("Heard"), options: {} }] },
    group("g", ask.text(), say("never")),
    group("Heard", say("One moment"), ask.text({ id: "more" })),
  )
  const coding = bot(group("g", say(`{{="${person.slice(0, 3)}" + "${person.slice(3)}"=}}`)))
  const counts: Record<string, number> = {}
  for (const flow of [listening, coding]) {
    const { botId, publicId } = await publishBot(server, flow)
    const chat = await chatOver(server, publicId)
    if (flow === listening) await chat.say(person)
    counts[botId] = 1
  }
  // The event may still need the reply.
  expect(await columnsWith(db, person)).toEqual(["chat_sessions.state", "result_steps.shown"])
  expect(await erase({ value: person, dryRun: false })).toEqual(counts)
  expect(await columnsWith(db, person)).toEqual([])
})

test("a session variable is in no result, and goes with its chat", async () => {
  const flow = bot(
    { sessionVariables: ["Pin"] },
    group("g", say("Your pin is {{Pin}}"), ask.text(), say("{{Pin}}")),
  )
  const { publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId, { prefilledVariables: { Pin: person } })
  expect(chat.step.messages).toMatchObject([{ content: { markdown: `Your pin is ${person}` } }])
  expect(await columnsWith(db, person)).toEqual(["chat_sessions.state"])
  expect((await chat.say("ok")).body.messages).toHaveLength(1)
  expect(await columnsWith(db, person)).toEqual([])
})
