/** A process that dies or stands still in the middle of a call upstream: the chat goes on elsewhere. */
import { afterAll, expect, test } from "vitest"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { newToken } from "../../src/people/apiTokens.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { eventually } from "../support/waiting.ts"
import { call, launch, productCopy, type Sent } from "./product.ts"

const product = await productCopy()
const databaseUrl = await testDatabaseUrl("empty")
const pool = openConnectionPool({ url: databaseUrl, size: 1, statementTimeoutMs: 10_000 })
afterAll(() => pool.end())
const upstream = await startPeer()

const token = newToken()
const variables = {
  DATABASE_URL: databaseUrl,
  PARLEY_SECRET: "a secret that both processes know",
  PARLEY_BOOTSTRAP_EMAIL: "ann@example.com",
  PARLEY_BOOTSTRAP_TOKEN: token,
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
}
// One after the other, because the first one migrates the database.
const one = launch(product, variables)
const here = await one.ready()
const two = launch(product, variables)
const there = await two.ready()

const flow = bot(
  group(
    "Loop",
    ask.text({ saves: "Said" }),
    block("Webhook", {
      webhook: { url: upstream.url, method: "POST", body: "{{Said}}" },
      isCustomBody: true,
    }),
    say("You said {{Said}}", { to: "Loop" }),
  ),
)
const botId = await publish()

async function publish(): Promise<string> {
  const asAnn = (path: string, sent: Sent = {}) => call(`${here}/api/v1${path}`, { token, ...sent })
  const { body: listed } = await asAnn("/workspaces")
  const [workspace] = listed.workspaces as { id: string }[]
  const { body } = await asAnn("/bots/import", { body: { workspaceId: workspace?.id, bot: flow } })
  const { id } = body.bot as { id: string }
  await asAnn(`/bots/${id}`, { method: "PATCH", body: { bot: { publicId: "loop" } } })
  await asAnn(`/bots/${id}/publish`, { body: {} })
  return id
}

type Talk = { path: string; rows: () => Promise<string[]> }

async function liveChat(): Promise<Talk> {
  const { body } = await call(`${here}/api/v1/bots/loop/startChat`, { body: {} })
  const rows = async () => {
    const sql = "select content from answers where result_id = $1 order by idx"
    return (await pool.query(sql, [body.resultId])).rows.map(({ content }) => content)
  }
  return { path: `/api/v1/sessions/${body.sessionId}/continueChat`, rows }
}

async function previewChat(): Promise<{ path: string }> {
  const { status, body } = await call(`${here}/api/v1/bots/${botId}/preview/startChat`, {
    token,
    body: {},
  })
  expect(status).toBe(200)
  return { path: `/api/v1/sessions/${body.sessionId}/continueChat` }
}

const markdown = (message: string) => ({ message, textBubbleContentFormat: "markdown" })

const calling = bot(
  group(
    "Start",
    block("Webhook", {
      webhook: { url: upstream.url, method: "POST", body: "start" },
      isCustomBody: true,
    }),
    say("Started"),
    ask.text(),
  ),
)

/** Starts a preview that calls upstream at once; the same key is the same start. */
const startKeyed = (address: string, key: string) =>
  call(`${address}/api/v1/bots/${botId}/preview/startChat`, {
    token,
    body: { bot: calling },
    headers: { "idempotency-key": key },
  })

/** Waits until upstream has heard of a request; its answer comes when it comes. */
async function getStuck(request: Promise<unknown>, heard = 1) {
  const answer = request.catch(() => undefined)
  await eventually(() => expect(upstream.received).toHaveLength(heard))
  return { answer }
}

const sayHere = ({ path }: { path: string }) => call(here + path, { body: { message: "hi" } })

test("a process that stood still stores nothing once another one has gone on", async () => {
  upstream.answers(
    () => {},
    () => {},
    (response) => response.end("{}"),
  )
  const chat = await liveChat()
  const early = await getStuck(sayHere(chat))
  const earlyStart = await getStuck(startKeyed(here, "stopped"), 2)
  one.child.kill("SIGSTOP")
  const [other, otherStart] = await Promise.all([
    call(there + chat.path, { body: { message: "me first" } }),
    startKeyed(there, "stopped"),
  ])
  expect([other.status, otherStart.status]).toEqual([200, 200])
  one.child.kill("SIGCONT")
  expect(await early.answer).toMatchObject({ status: 409 })
  // The same request under the same key: it gets the answer of the process that went on.
  expect(await earlyStart.answer).toEqual(otherStart)
  expect(await chat.rows()).toEqual(["me first"])
  const told = upstream.received.map(({ text }) => text)
  expect(told.toSorted()).toEqual(["hi", "me first", "start", "start"])
})

test("chats, previews and keyed starts go on within seconds after kill -9, and upstream sees the same keys", async () => {
  upstream.answers(
    () => {},
    () => {},
    () => {},
    (response) => response.end("{}"),
  )
  const chat = await liveChat()
  const preview = await previewChat()
  await getStuck(sayHere(chat))
  await getStuck(sayHere(preview), 2)
  await getStuck(startKeyed(here, "killed"), 3)
  one.child.kill("SIGKILL")
  await one.ended()
  const claims = await pool.query(
    `select extract(epoch from claimed_until - now())::float as left from chat_sessions
     where claimed_until is not null
     union all select extract(epoch from claimed_until - now())::float from preview_sessions
     where claimed_until is not null
     union all select extract(epoch from claimed_until - now())::float from preview_starts
     where claimed_by in (select claimed_by from preview_sessions)`,
  )
  expect(claims.rows).toHaveLength(3)
  // By the clock of the database: with the wait of those who look it makes less than ten seconds.
  for (const { left } of claims.rows) expect(left).toBeLessThanOrEqual(8)
  for (const { path } of [chat, preview]) {
    const again = await call(there + path, { body: markdown("hi") })
    expect(again.status).toBe(200)
    expect(JSON.stringify(again.body.messages)).toContain("You said hi")
  }
  const started = await startKeyed(there, "killed")
  expect(JSON.stringify(started.body.messages)).toContain("Started")
  expect(await chat.rows()).toEqual(["hi"])
  const keys = upstream.received.map(({ headers }) => headers["idempotency-key"])
  expect(keys).toHaveLength(6)
  expect(keys.slice(3)).toEqual(keys.slice(0, 3))
  expect(new Set(keys).size).toBe(3)
})
