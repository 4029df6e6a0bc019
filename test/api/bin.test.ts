/** The bin: what a deleted bot keeps for 30 days, what ends at once, and when it is gone. */
import { expect, test } from "vitest"
import { daysInBin, moveToBin } from "../../src/db/bots/bin.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
const { workspaceId } = server
const { pool } = database

const flow = bot(
  { settings: { general: { rememberUser: { isEnabled: true } } } },
  group("A", ask.text({ saves: "Name" }), say("Hi {{Name}}"), ask.text()),
)

/** A live bot with an answered chat that goes on. */
async function home() {
  const { botId, publicId } = await publishBot(server, flow)
  const path = `/api/v1/bots/${botId}`
  const chat = await chatOver(server, publicId)
  await chat.say("Ann", { "idempotency-key": "first" })
  const get = async (at = "") => (await server.send("GET", `${path}${at}`)).body
  const remove = (query = "") => server.send("DELETE", `${path}${query}`)
  const restore = async () => (await server.send("POST", `${path}/restore`)).status
  const start = async () => {
    const sent = { token: null, body: {} }
    return (await server.send("POST", `/api/v1/bots/${publicId}/startChat`, sent)).status
  }
  const results = () => get("/results?timeFilter=allTime")
  return { botId, publicId, chat, get, remove, restore, start, results }
}

async function binned(): Promise<{ id: string; deletedAt: string; purgesAt: string }[]> {
  const path = `/api/v1/bots?workspaceId=${workspaceId}&deleted=true`
  return (await server.send("GET", path)).body.bots as Awaited<ReturnType<typeof binned>>
}

const rowsOf = async (table: string, resultId?: string) =>
  (await pool.query(`select from ${table} where result_id = $1`, [resultId])).rowCount

test("a restored bot is as it was: draft, versions, address, results, and live", async () => {
  const { botId, chat, get, remove, restore, start, results } = await home()
  const { resultId } = chat.step
  const parts = ["", "/publishedBot", "/publications", `/results/${resultId}/transcript`]
  const all = async () => [...(await Promise.all(parts.map(get))), await results()]
  const before = await all()
  const { status, body } = await remove()
  expect([status, body]).toEqual([200, { message: "success" }])
  expect(await start()).toBe(404)
  const { deletedAt = "", purgesAt = "" } = (await binned()).find(({ id }) => id === botId) ?? {}
  expect(Date.parse(purgesAt) - Date.parse(deletedAt)).toBe(daysInBin * 24 * 3_600_000)
  const { body: listed } = await server.send("GET", `/api/v1/bots?workspaceId=${workspaceId}`)
  expect(JSON.stringify(listed)).not.toContain(botId)
  expect((await remove()).status).toBe(404)
  expect(await restore()).toBe(200)
  expect(await all()).toEqual(before)
  expect(await start()).toBe(200)
  expect((await binned()).map(({ id }) => id)).not.toContain(botId)
})

test("its chats end when it is deleted, and stay over; what they have recorded stays", async () => {
  const { botId, chat, remove, restore } = await home()
  const { resultId, sessionId } = chat.step
  const timer = "insert into timers (result_id, session_id, due_at) values ($1, $2, now())"
  await pool.query(timer, [resultId, sessionId])
  const event = `insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
    values ($1, gen_random_uuid(), $2, $3, 'answer.submitted', 9, '{}')`
  await pool.query(event, [resultId, workspaceId, botId])
  await remove()
  const over = { status: 404, body: { message: expect.stringContaining("Session not found") } }
  expect(await chat.say("Bob")).toMatchObject(over)
  // Nor is the answer to an earlier request told once more.
  expect(await chat.say("Ann", { "idempotency-key": "first" })).toMatchObject(over)
  for (const table of ["chat_sessions", "timers", "outbox", "idempotency"]) {
    expect(await rowsOf(table, resultId), table).toBe(0)
  }
  expect(await rowsOf("answers", resultId)).toBe(1)
  await restore()
  expect(await chat.say("Bob")).toMatchObject(over)
})

test("a chat in which nothing has run yet ends, too, whichever way its bot is deleted", async () => {
  for (const query of ["", "?permanently=true"]) {
    const { publicId, remove } = await home()
    const chat = await chatOver(server, publicId, { isOnlyRegistering: true })
    await remove(query)
    const over = { status: 404, body: { message: expect.stringContaining("Session not found") } }
    expect(await chat.say("Ann")).toMatchObject(over)
  }
})

test("its previews end, too, which may use the credentials of the workspace", async () => {
  for (const query of ["", "?permanently=true"]) {
    const { botId, remove } = await home()
    const other = await home()
    const preview = async (of: string) => {
      const path = `/api/v1/bots/${of}/preview/startChat`
      return String((await server.send("POST", path, { body: {} })).body.sessionId)
    }
    const [sessionId, otherId] = [await preview(botId), await preview(other.botId)]
    const say = async (id: string) => {
      const sent = { body: { message: "Ann" } }
      return (await server.send("POST", `/api/v1/sessions/${id}/continueChat`, sent)).status
    }
    await remove(query)
    expect([await say(sessionId), await say(otherId)]).toEqual([404, 200])
  }
})

test("a message under a key begins a new chat once the bot is restored", async () => {
  const { get, remove, restore, botId } = await home()
  const path = `/api/v1/bots/${botId}/conversations/ann/messages`
  const write = () => server.send("POST", path, { body: { message: "Hi" } })
  const { sessionId } = (await write()).body
  await remove()
  expect((await write()).status).toBe(404)
  await restore()
  const { conversation } = await get("/conversations/ann")
  expect(conversation).toMatchObject({ sessionId, state: "expired" })
  const again = await write()
  expect(again.status).toBe(200)
  expect(again.body.sessionId).not.toBe(sessionId)
})

test("its address stays reserved until it is deleted for good", async () => {
  const { publicId, remove, restore, results } = await home()
  await remove()
  const bot = { publicId }
  const take = async () =>
    (await server.send("POST", "/api/v1/bots", { body: { workspaceId, bot } })).status
  const asked = await server.send("GET", `/api/v1/bots/publicIdAvailability?publicId=${publicId}`)
  expect(asked.body).toEqual({ isAvailable: false })
  expect(await take()).toBe(409)
  expect((await remove("?permanently=true")).status).toBe(200)
  expect(await take()).toBe(200)
  expect(await restore()).toBe(404)
  expect((await results()).results).toEqual([])
})

test("it goes after 30 days with its results, and cannot be restored from then on", async () => {
  const { botId, chat, remove, restore } = await home()
  await remove()
  const age = (days: number) =>
    pool.query("update bots set archived_at = now() - make_interval(days => $2) where id = $1", [
      botId,
      days,
    ])
  await age(29)
  await runJob(database, "remove_bots")
  expect((await binned()).map(({ id }) => id)).toContain(botId)
  await age(30)
  expect((await binned()).map(({ id }) => id)).not.toContain(botId)
  expect(await restore()).toBe(404)
  await runJob(database, "remove_bots")
  expect((await pool.query("select from bots where id = $1", [botId])).rowCount).toBe(0)
  for (const table of ["results", "answers", "result_steps", "logs"]) {
    expect(await rowsOf(table, chat.step.resultId), table).toBe(0)
  }
})

test("who is forgotten meanwhile is forgotten in the bin, too", async () => {
  const { botId, remove, restore, results } = await home()
  await remove()
  const body = { value: "Ann", botIds: [botId], dryRun: false }
  const erased = await server.send("POST", `/api/v1/workspaces/${workspaceId}/erase`, { body })
  expect(erased.body.bots).toEqual([{ botId, results: 1 }])
  await restore()
  expect((await results()).results).toEqual([])
})

test("a folder that is deleted meanwhile leaves it in the one around", async () => {
  const { botId, get, remove, restore } = await home()
  const path = `/api/v1/workspaces/${workspaceId}/folders`
  const make = async (body: object) =>
    ((await server.send("POST", path, { body })).body.folder as { id: string }).id
  const outer = await make({ name: "Outer" })
  const inner = await make({ name: "Inner", parentFolderId: outer })
  const move = { workspaceId, botIds: [botId], folderId: inner }
  await server.send("POST", "/api/v1/bots/move", { body: move })
  await remove()
  await server.send("DELETE", `${path}/${inner}`)
  await restore()
  expect((await get()).bot).toMatchObject({ folderId: outer })
})

test("a collaborator who leaves finds it again only when it is restored", async () => {
  const { botId, remove, restore } = await home()
  await pool.query(
    `insert into bot_collaborators (bot_id, user_id, type)
    select $1, id, 'READ' from users limit 1`,
    [botId],
  )
  await remove()
  const leave = async () => (await server.send("POST", `/api/v1/bots/${botId}/leave`)).status
  expect(await leave()).toBe(404)
  await restore()
  expect(await leave()).toBe(200)
})

test("a chat that goes on because the deletion was cut short, or met its start, ends within a day", async () => {
  const [deleted, other] = [await home(), await home()]
  // Whoever deleted it did not come to end its chats.
  await moveToBin(database, deleted.botId)
  await runJob(database, "remove_bots")
  expect((await deleted.chat.say("Still here")).status).toBe(404)
  expect((await other.chat.say("Still here")).status).toBe(200)
  expect(await rowsOf("answers", deleted.chat.step.resultId)).toBe(1)
})
