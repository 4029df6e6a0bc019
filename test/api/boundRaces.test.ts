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
async function flood(
  times: number,
  path: string,
  sent: Sent | ((n: number) => Sent),
): Promise<Record<number, number>> {
  const calls = Array.from({ length: times }, (_, n) =>
    (n % 2 === 0 ? server : other).send("POST", path, {
      token: server.token,
      ...(typeof sent === "function" ? sent(n) : sent),
    }),
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

test.each(["workspace", "user"])("there are at most 1,000 credentials of a %s", async (scope) => {
  const table = scope === "user" ? "user_credentials" : "credentials"
  const owner = scope === "user" ? "user_id" : "workspace_id"
  const credentials = { type: "http proxy", name: "P", data: { url: "http://proxy.example.com" } }
  const body = { ...(scope === "user" ? { scope } : { workspaceId: own?.id }), credentials }
  expect(await flood(1, "/api/v1/credentials", { body })).toEqual({ 200: 1 })
  await database.pool.query(
    `insert into ${table} (id, ${owner}, type, name, data, nonce, key_id)
    select id || n, ${owner}, type, name, data, nonce, key_id from ${table}, generate_series(1, 994) n`,
  )
  expect(await flood(20, "/api/v1/credentials", { body })).toEqual({ 200: 5, 400: 15 })
  expect(await countOf(table)).toBe(1_000)
})

test("an account has at most 500 tokens that are not revoked", async () => {
  await database.pool.query(
    `insert into api_tokens (id, owner_id, name, token_hash, hint, revoked_at)
    select 'more' || n, owner_id, name, sha256(n::text::bytea), hint, case when n > 494 then now() end
    from api_tokens, generate_series(1, 600) n`,
  )
  expect(await flood(20, "/api/v1/users/me/api-tokens", { body: { name: "T" } })).toEqual({
    200: 5,
    400: 15,
  })
  await database.pool.query("delete from api_tokens where id like 'more%'")
})

test("an account makes and joins at most 1,000 workspaces", async () => {
  await database.pool.query("insert into workspaces (id, name) values ('theirs', 'Theirs')")
  await database.pool.query(
    `insert into workspace_invitations (id, workspace_id, email, role)
    select 'theirs', 'theirs', email, 'GUEST' from users`,
  )
  await database.pool.query(
    "insert into workspaces (id, name) select 'w' || n, 'W' || n from generate_series(1, 994) n",
  )
  await database.pool.query(
    `insert into workspace_members (workspace_id, user_id, role)
    select w.id, users.id, 'ADMIN' from workspaces w, users where w.name like 'W%'`,
  )
  const create = (n: number) => ({ body: { name: `New ${n}` } })
  expect(await flood(20, "/api/v1/workspaces", create)).toEqual({ 200: 5, 400: 15 })
  const accept = () => server.send("POST", "/api/v1/users/me/invitations/theirs/accept")
  expect((await accept()).body).toHaveProperty("reason", "WORKSPACE_LIMIT_REACHED")
  await database.pool.query("delete from workspaces where id like 'w%'")
  expect((await accept()).status).toBe(200)
})

test("a workspace has at most 2,000 members and invitations, guests among them", async () => {
  await database.pool.query(
    `insert into workspace_invitations (id, workspace_id, email, role)
    select 'i' || n, $1, n || '@example.com', 'GUEST' from generate_series(1, 1994) n`,
    [own?.id],
  )
  const guest = (n: number) => ({ body: { email: `new${n}@example.com`, type: "GUEST" } })
  expect(await flood(20, `${workspacePath}/invitations`, guest)).toEqual({ 200: 5, 400: 15 })
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
