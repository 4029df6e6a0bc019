/** Forgetting a person: nothing of them is left in any table or file, and others keep everything. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { z } from "zod"
import { saveTurn } from "../../src/db/chats/sessions.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { partSize } from "../../src/db/results/erasure.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"
import { emptyResults } from "../../src/results/emptyResults.ts"
import { erase as eraseWhom } from "../../src/results/erase.ts"
import { cursorsOf } from "../../src/routers/cursor.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { failDeletions } from "../support/failingDeletions.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { tablesWith } from "../support/tablesWith.ts"
import { filesWith, person, upload } from "../support/traces.ts"

const databaseUrl = await testDatabaseUrl()
const uploads = mkdtempSync(join(tmpdir(), "parley-erasure-"))
afterAll(() => rmSync(uploads, { recursive: true, force: true }))
const server = await testServer({
  DATABASE_URL: databaseUrl,
  PARLEY_DATA: uploads,
})
const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
const { workspaceId } = server

const flow = bot(
  { variables: { Mail: null, Silent: null }, sessionVariables: ["Silent"] },
  group(
    "g",
    ask.text({ id: "mail", saves: "Mail" }),
    say("Hi {{Mail}}"),
    { type: "hologram" },
    ask.text({ id: "more" }),
    ask.file({ id: "file", isRequired: false }),
    ask.choice([person, "Else"], { id: "choice" }),
    ask.text({ id: "last" }),
  ),
)

const erase = async (body: object) => {
  const reply = await server.send("POST", `/api/v1/workspaces/${workspaceId}/erase`, { body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body as { bots: { botId: string; results: number }[]; nextCursor?: string }
}

/** Where such a search goes on, as the service itself would write it. */
const cursorFor = ({ value, botIds }: { value: string; botIds: string[] }, place: object) => {
  const cursorCipher = createCipher(["a secret that only tests know of"], "cursors")
  const list = ["eraseData", workspaceId, value, undefined, botIds, true] as const
  return cursorsOf({ cursorCipher }, list, z.unknown()).write(place).nextCursor ?? ""
}

/** Results found in a bot, however many calls the search takes. */
const search = async (body: {
  botIds: string[]
  value: string
  dryRun?: false
  cursor?: string
}) => {
  let results = 0
  for (let { cursor } = body; ; ) {
    const { bots, nextCursor } = await erase({ ...body, cursor })
    for (const bot of bots) results += bot.results
    if (nextCursor === undefined) return results
    cursor = nextCursor
  }
}

test("nothing is left of a person in tables and files, and others keep theirs", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  await chat.say(person.toUpperCase(), { "idempotency-key": "k1" })
  await chat.say("more")
  await upload(server, chat.step.sessionId)
  await chat.say()
  await chat.say(person)
  const silent = await chatOver(server, publicId, { prefilledVariables: { Silent: person } })
  await silent.say("nobody")
  const other = await chatOver(server, publicId)
  await other.say("ben@example.com")
  expect(await tablesWith(db, person)).toContain("idempotency")
  expect(await filesWith(uploads, person)).toHaveLength(1)
  expect(await erase({ value: person })).toEqual({ bots: [{ botId, results: 2 }] })
  expect(await tablesWith(db, person)).not.toEqual([])
  expect(await erase({ value: person, dryRun: false })).toEqual({ bots: [{ botId, results: 2 }] })
  expect(await tablesWith(db, person)).toEqual([])
  expect(await filesWith(uploads, person)).toEqual([])
  expect((await chat.say("again")).status).toBe(404)
  expect((await other.say("I stay")).status).toBe(200)
  const { body } = await server.send("GET", `/api/v1/bots/${botId}/results?timeFilter=allTime`)
  expect(body.results).toHaveLength(1)
  const log = await server.send("GET", `/api/v1/workspaces/${workspaceId}/auditLog?limit=1`)
  expect(log.body.entries).toMatchObject([{ operation: "eraseData", counts: { results: 2 } }])
})

test("a name goes whether its accents are characters of their own or not", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  for (const name of ["Zoë Müller", "Zoe\u0308 Müller", "Zoe Muller"]) {
    await (await chatOver(server, publicId)).say(name)
    const silent = await chatOver(server, publicId, { prefilledVariables: { Silent: name } })
    await silent.say("nobody")
  }
  for (const value of ["zoë müller", "zoe\u0308 mu\u0308ller"]) {
    expect(await erase({ value, botIds: [botId] })).toEqual({ bots: [{ botId, results: 4 }] })
  }
})

test.each([
  'Ann "the\tcat" O\'Neil',
  "two\nlines\r\nand three",
  "C:\\dir\\new \\u0041",
  "50%_of \u2028 all \u{1f600}",
])("%j is found and erased where only a running chat has it", async (value) => {
  const { botId, publicId } = await publishBot(server, flow)
  await chatOver(server, publicId, { prefilledVariables: { Silent: value } })
  const stays = await chatOver(server, publicId, { prefilledVariables: { Silent: `${value}!` } })
  const isHeld = async () => (await search({ value, botIds: [botId] })) === 1
  expect(await isHeld()).toBe(true)
  expect(await search({ value: value.toUpperCase(), botIds: [botId] })).toBe(1)
  expect(await search({ value, botIds: [botId], dryRun: false })).toBe(1)
  expect(await isHeld()).toBe(false)
  expect((await stays.say("I stay")).status).toBe(200)
})

test("who asked while the store of files was away may ask again, and nothing is left", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  await (await chatOver(server, publicId)).say("away")
  const place = { botIds: [botId], workspaceBotIds: [botId], key: undefined, from: undefined }
  const request = { ...place, value: "away", isPart: false, dryRun: false }
  const eraseWith = (deleteResultFiles: () => Promise<void>) =>
    eraseWhom({ db, files: { deleteResultFiles }, hasLeft: undefined }, request)
  await expect(eraseWith(() => Promise.reject(new Error("No store")))).rejects.toThrow("No store")
  expect((await eraseWith(async () => {})).counts).toEqual(new Map([[botId, 1]]))
})

test("a result counts once, however many chats go on with it", async () => {
  const settings = { general: { rememberUser: { isEnabled: true } } }
  const silent = { variables: { Silent: null }, sessionVariables: ["Silent"], settings }
  const { botId, publicId } = await publishBot(
    server,
    bot(silent, group("g", ask.text(), ask.text())),
  )
  const prefilledVariables = { Silent: "quiet" }
  const first = await chatOver(server, publicId, { prefilledVariables })
  await first.say("One")
  const { resultId } = first.step
  const second = await chatOver(server, publicId, { prefilledVariables, resultId })
  expect(second.step.resultId).toBe(resultId)
  expect((await first.say("Two")).status).toBe(200)
  const third = await chatOver(server, publicId, { prefilledVariables, resultId })
  expect(third.step.resultId).toBe(resultId)
  expect(await search({ value: "quiet", botIds: [botId] })).toBe(1)
  expect(await search({ value: "quiet", botIds: [botId], dryRun: false })).toBe(1)
})

test("what was counted of them ahead goes as well", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  for (const said of ["x", "y"]) await chat.say(said)
  await chat.say()
  await chat.say(person)
  const now = () => Date.now() + 4 * 86_400_000
  await runJob(db, "count_analytics", { now })
  expect(await tablesWith(db, person)).toContain("analytics_counts")
  await erase({ value: person, botIds: [botId], dryRun: false })
  expect(await tablesWith(db, person)).toEqual([])
})

test("a chat in a linked bot with a result of its own cannot write it back", async () => {
  const kid = await publishBot(server, bot(group("k", ask.text({ id: "kid" }), ask.text())))
  const parent = await publishBot(
    server,
    bot(group("p", say("Hi"), link(kid.botId, { mergeResults: false }))),
  )
  const chat = await chatOver(server, parent.publicId)
  await chat.say(person)
  expect((await erase({ value: person, dryRun: false })).bots).toContainEqual({
    botId: kid.botId,
    results: 1,
  })
  expect((await chat.say("late")).status).toBe(404)
  expect(await tablesWith(db, person)).toEqual([])
})

test("data that a chat gave to other bots while in such a bot is erased after its end, too", async () => {
  const kid = await publishBot(
    server,
    bot({ variables: { Kid: null } }, group("k", ask.text({ saves: "Kid" }), say("Hi {{Kid}}"))),
  )
  const parent = bot(group("p", say("Hi"), link(kid.botId, { mergeResults: false }), say("Bye")))
  const { publicId } = await publishBot(server, parent)
  const chat = await chatOver(server, publicId)
  const types = ["answer.submitted"]
  const path = `/api/v1/workspaces/${workspaceId}/webhookEndpoints`
  const url = "https://events.example/"
  const made = await server.send("POST", path, { body: { url, types } })
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
  // The service stores lines of the page with the result that the chat began with.
  const logs = [{ status: "error", description: "A script failed", details: `No ${person}` }]
  const sent = { token: null, body: { clientLogs: logs } }
  const logged = await server.send(
    "POST",
    `/api/v1/sessions/${chat.step.sessionId}/clientLogs`,
    sent,
  )
  expect(logged.status, JSON.stringify(logged.body)).toBe(200)
  await chat.say(person, { "idempotency-key": "linked" })
  expect(await tablesWith(db, person)).toEqual(expect.arrayContaining(["idempotency", "logs"]))
  expect((await erase({ value: person, dryRun: false })).bots).toEqual([
    { botId: kid.botId, results: 1 },
  ])
  expect(await tablesWith(db, person)).toEqual([])
})

test("who asked while the database gave up half-way may ask again, and nothing is left", async () => {
  const kid = await publishBot(
    server,
    bot(group("k", ask.text({ saves: "Kid" }), say("Hi {{Kid}}"))),
  )
  const parent = bot(group("p", say("Hi"), link(kid.botId, { mergeResults: false }), say("Bye")))
  const { botId, publicId } = await publishBot(server, parent)
  const chat = await chatOver(server, publicId)
  // The chat is over, but its stored answer repeats what the linked bot was told.
  await chat.say("half-way", { "idempotency-key": "half-way" })
  const botIds = [kid.botId, botId]
  const request = { botIds, workspaceBotIds: botIds, key: undefined, from: undefined }
  const eraseNow = () =>
    eraseWhom(
      { db, files: { deleteResultFiles: async () => {} }, hasLeft: undefined },
      { ...request, value: "half-way", isPart: false, dryRun: false },
    )
  const goOn = await failDeletions(db.pool, "idempotency")
  await expect(eraseNow()).rejects.toThrow("No more")
  await goOn()
  expect((await eraseNow()).counts).toEqual(new Map([[kid.botId, 1]]))
  expect(await tablesWith(db, "half-way")).toEqual([])
})

test("a turn in flight is stored before and erased, or comes later and stores nothing", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  await chat.say(person)
  const { resultId, sessionId } = chat.step
  const turns = ["one", "two"].map((more) => chat.say(`${more} ${person}`))
  const erasing = erase({ value: person, botIds: [botId], dryRun: false })
  await Promise.all([...turns, erasing])
  const rows = { botId, versionId: newUuid() }
  const answers = [{ idx: 9, blockId: "b", content: person }]
  const late = { resultId, sessionId, revision: 1, state: person, rows: { ...rows, answers } }
  expect(await saveTurn(db, late)).toBe(false)
  expect(await tablesWith(db, person)).toEqual([])
})

test("equal is equal, in upper or lower case, in lists too, and not part of it", async () => {
  const { botId } = await publishBot(server, flow)
  const record = async (content: string, value: unknown) => {
    const resultId = newUuid()
    await saveTurn(db, {
      resultId,
      sessionId: newSessionId(resultId),
      revision: null,
      state: null,
      rows: {
        botId,
        versionId: newUuid(),
        result: { variables: [{ id: "v", name: "v", value }], hasStarted: true, isCompleted: true },
        answers: [{ idx: 0, blockId: "b", content }],
      },
    })
  }
  await record("ÉMILE", "x")
  await record("x", ["a", null, "Émile"])
  await record("x", "émile zola")
  await record("émile, zola", "x")
  expect(await erase({ value: "émile", botIds: [botId] })).toEqual({
    bots: [{ botId, results: 2 }],
  })
  for (const hostile of ["%", "_____", "' or 1=1 --", "\\", "{}", "💥", "a".repeat(10_000)]) {
    expect(await erase({ value: hostile, botIds: [botId] })).toEqual({ bots: [] })
  }
})

test("a search goes on where a call ended, and takes no more than it may in one statement", async () => {
  const { botId } = await publishBot(server, flow)
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started, variables)
    select ('0199bbbb-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, gen_random_uuid(), true,
      case when n % 100 = 0 then '[{"id":"v","name":"v","value":"Z"}]'::jsonb else '[]' end
    from generate_series(1, $2::int) n`,
    [botId, 4 * partSize + 1],
  )
  const wanted = { value: "z", botIds: [botId] }
  const afterId = `0199bbbb-0000-7000-8000-${"500".padStart(12, "0")}`
  expect(await search({ ...wanted, cursor: cursorFor(wanted, { botId, afterId }) })).toBe(5)
  expect(await search(wanted)).toBe(10)
  expect(await search({ ...wanted, dryRun: false })).toBe(10)
  expect(await search(wanted)).toBe(0)
  await emptyResults(db, { results: [], botIds: [botId], workspaceBotIds: [botId] })
})

test("the key of a conversation stands for all its results", async () => {
  const published = await publishBot(server, bot(group("g", ask.text(), ask.text())))
  const { botId } = published
  for (const key of [person, "whatsapp:551", "whatsapp:55"]) {
    const { send } = conversationOf(server, published, key)
    const said = [await send("one"), await send("two"), await send("one")]
    expect(new Set(said.map(({ body }) => body.resultId)).size).toBe(2)
  }
  const two = { bots: [{ botId, results: 2 }] }
  // One of the two still runs, and its session holds the key, too.
  expect(await erase({ value: person.toUpperCase(), botIds: [botId] })).toEqual(two)
  expect(await erase({ value: person.toUpperCase(), botIds: [botId], dryRun: false })).toEqual(two)
  expect(await tablesWith(db, person)).toEqual([])
  const body = { conversationKey: "whatsapp:551", botIds: [botId], dryRun: false }
  expect(await erase(body)).toEqual(two)
  expect(await tablesWith(db, "whatsapp:551")).toEqual([])
  expect(await erase({ conversationKey: "whatsapp:55", botIds: [botId] })).toEqual(two)
  const kid = await publishBot(server, bot(group("k", ask.text())))
  const parent = bot(group("p", link(kid.botId, { mergeResults: false }), say("Bye")))
  const linked = await publishBot(server, parent)
  await conversationOf(server, linked, "telegram:1").send("told the linked bot")
  const ofBots = await erase({ conversationKey: "telegram:1", dryRun: false })
  const counted = ofBots.bots.map(({ botId, results }) => [botId, results])
  expect(Object.fromEntries(counted)).toEqual({ [kid.botId]: 1, [linked.botId]: 1 })
  expect(await tablesWith(db, "told the linked bot")).toEqual([])
})

test("wrong requests erase nothing", async () => {
  const statusOf = async (body: object) =>
    (await server.send("POST", `/api/v1/workspaces/${workspaceId}/erase`, { body })).status
  expect(await statusOf({})).toBe(400)
  expect(await statusOf({ value: "" })).toBe(400)
  expect(await statusOf({ value: "x", botIds: ["unknown"] })).toBe(404)
  expect(await statusOf({ value: "x", cursor: "nonsense" })).toBe(400)
})
