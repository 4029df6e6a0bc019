/** Bounds on how many there may be of something hold however many requests come at once. */
import { beforeEach, expect, test } from "vitest"
import { ask, block, bot, group } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { type Sent, testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
/** Another process on the same database. */
const other = await testServer({ DATABASE_URL: database.url })
const { body: listed } = await server.send("GET", "/api/v1/workspaces")
const [own] = listed.workspaces as { id: string }[]
const workspacePath = `/api/v1/workspaces/${own?.id}`
const flow = bot(group("A", block("webhook", {}, { id: "hook" }), ask.text()))
const { botId, publicId } = await publishBot(server, flow)

beforeEach(async () => {
  await database.pool.query("delete from webhook_endpoints")
})

/** Sends a request so many times at once, to both processes by turns, and counts the answers by status. */
async function flood(times: number, path: string, sent: Sent): Promise<Record<number, number>> {
  const calls = Array.from({ length: times }, (_, n) =>
    (n % 2 === 0 ? server : other).send("POST", path, { token: server.token, ...sent }),
  )
  const statuses: Record<number, number> = {}
  for (const { status } of await Promise.all(calls)) statuses[status] = (statuses[status] ?? 0) + 1
  return statuses
}

async function countOf(table: string): Promise<number> {
  const { rows } = await database.pool.query(`select count(*)::int as count from ${table}`)
  return rows[0].count
}

test("a workspace has at most 100 endpoints", async () => {
  const body = { url: "https://example.com/hook", types: ["conversation.paused"] }
  expect(await flood(1, `${workspacePath}/webhookEndpoints`, { body })).toEqual({ 200: 1 })
  await database.pool.query(
    `insert into webhook_endpoints (id, workspace_id, url, types, data, nonce, key_id)
    select id || n, workspace_id, url, types, data, nonce, key_id
    from webhook_endpoints, generate_series(1, 89) n`,
  )
  expect(await flood(40, `${workspacePath}/webhookEndpoints`, { body })).toEqual({
    200: 10,
    400: 30,
  })
  expect(await countOf("webhook_endpoints where url is not null")).toBe(100)
})

test("a workspace has at most 20 who fetch events", async () => {
  expect(await flood(80, `${workspacePath}/webhookEvents`, { body: {} })).toEqual({
    200: 20,
    429: 60,
  })
  expect(await countOf("webhook_endpoints where url is null")).toBe(20)
})

test("clients add at most 1,000 lines to the log of a result", async () => {
  const { step } = await chatOver(server, publicId)
  const clientLogs = Array.from({ length: 50 }, () => ({ description: "d" }))
  const path = `/api/v1/sessions/${step.sessionId}/clientLogs`
  expect(await flood(40, path, { token: null, body: { clientLogs } })).toEqual({ 200: 20, 400: 20 })
  expect(await countOf(`logs where result_id = '${step.resultId}'`)).toBe(1_000)
})

test("a chat has at most 20 calls of other systems that it has not taken", async () => {
  const { step } = await chatOver(server, publicId)
  const path = `/api/v1/bots/${botId}/blocks/hook/results/${step.resultId}/executeWebhook`
  expect(await flood(60, path, { body: { name: "Ann" } })).toEqual({ 200: 20, 429: 40 })
  expect(await countOf(`webhook_calls where result_id = '${step.resultId}'`)).toBe(20)
})

test("a preview has at most 20 calls of other systems that it has not taken", async () => {
  const start = await server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, { body: {} })
  expect(start.status).toBe(200)
  const path = `/api/v1/bots/${botId}/blocks/hook/web/executeTestWebhook`
  expect(await flood(60, path, { body: { name: "Ann" } })).toEqual({ 200: 20, 429: 40 })
  const { sessionId } = start.body
  expect(await countOf(`webhook_calls where session_id = '${sessionId}'`)).toBe(20)
})
