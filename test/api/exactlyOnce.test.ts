/** Turns that come at once, through two services on one database: each is carried out exactly once. */
import { Client } from "undici"
import { afterAll, describe, expect, test } from "vitest"
import { claimSession } from "../../src/db/chats/claims.ts"
import { findSession } from "../../src/db/chats/sessions.ts"
import { resultIdOfSession } from "../../src/lib/ids.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot, type Step, textsOf } from "../support/publish.ts"
import { letArrive, type TestServer, testServer } from "../support/server.ts"
import { eventually, openLatch } from "../support/waiting.ts"

const database = await testDatabase()
const variables = { DATABASE_URL: database.url, PARLEY_ALLOW_HOSTS: "127.0.0.1" }
const here = await testServer(variables)
const there = await testServer(variables)
const hasty = await testServer({ ...variables, PARLEY_TURN_TIMEOUT_MS: "600" })
const upstream = await startPeer()

const tell = block("Webhook", {
  webhook: { url: `${upstream.url}/told`, method: "POST", body: "{{Said}}" },
  isCustomBody: true,
})
const telling = await publishBot(
  here,
  bot(group("Loop", ask.text({ saves: "Said" }), tell, say("You said {{Said}}", { to: "Loop" }))),
)
const quiet = await publishBot(
  here,
  bot(group("Loop", ask.text({ saves: "Said" }), say("You said {{Said}}", { to: "Loop" }))),
)

async function answersOf({ botId }: { botId: string }, resultId: string): Promise<string[]> {
  const { body } = await here.send("GET", `/api/v1/bots/${botId}/results/${resultId}`)
  const { answers } = body.result as { answers: { content: string }[] }
  return answers.map(({ content }) => content)
}

const say50 = (prefix: string) => Array.from({ length: 50 }, (_, index) => `${prefix} ${index}`)

test("2.9 50 equal messages with one Idempotency-Key are one turn and one call upstream", async () => {
  const others = openLatch()
  upstream.answers((response) => void others.isOpen.then(() => response.end("{}")))
  const chat = await chatOver(here, telling.publicId)
  const replying = Promise.all(
    say50("").map((_, index) => {
      const server = index % 2 === 0 ? here : there
      return server.send("POST", chat.path, {
        token: null,
        body: { message: "hi", textBubbleContentFormat: "markdown" },
        headers: { "idempotency-key": "one and the same" },
      })
    }),
  )
  await eventually(() => expect(upstream.received).toHaveLength(1))
  await letArrive(here, there)
  others.open()
  const replies = await replying
  for (const reply of replies) expect(reply).toMatchObject({ status: 200, body: replies[0]?.body })
  expect(textsOf(replies[0]?.body as Step)).toEqual(["You said hi"])
  const first = replies.filter(({ headers }) => headers.get("idempotent-replayed") !== "true")
  expect(first).toHaveLength(1)
  expect(await answersOf(telling, chat.step.resultId)).toEqual(["hi"])
  expect(upstream.received.map(({ text }) => text)).toEqual(["hi"])
})

test("2.9 a message that is repeated once the chat has expired gets its answer", async () => {
  const chat = await chatOver(here, quiet.publicId)
  const headers = { "idempotency-key": "lost" }
  const send = () => here.send("POST", chat.path, { body: { message: "hi" }, headers })
  const { status, body } = await send()
  const expire = "update chat_sessions set expires_at = now() - interval '1 s' where id = $1"
  await database.pool.query(expire, [chat.step.sessionId])
  expect(await send()).toMatchObject({ status, body })
  expect((await chat.say("again")).status).toBe(404)
})

/** A client whose requests arrive in the order in which they are sent: all on one connection. */
function orderlyClient(server: TestServer) {
  const client = new Client(server.address, { pipelining: 50 })
  afterAll(() => client.close())
  return async (path: string, message: string) => {
    const response = await client.request({
      method: "POST",
      path,
      // undici pipelines only what may be repeated.
      idempotent: true,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message }),
    })
    await response.body.dump()
    return response.statusCode
  }
}

test.each([
  ["without calls", quiet],
  ["with calls upstream", telling],
])("50 messages to two services, %s, are all carried out, each service's in order", async (_, of) => {
  upstream.answers((response) => response.end("{}"))
  const chat = await chatOver(here, of.publicId)
  const [sayHere, sayThere] = [orderlyClient(here), orderlyClient(there)]
  const words = say50("word")
  const statuses = await Promise.all(
    words.map((word, index) => (index % 2 === 0 ? sayHere : sayThere)(chat.path, word)),
  )
  expect(statuses).toEqual(words.map(() => 200))
  const answers = await answersOf(of, chat.step.resultId)
  expect(answers.toSorted()).toEqual(words.toSorted())
  const isEven = (word: string) => Number(word.slice(5)) % 2 === 0
  expect(answers.filter(isEven)).toEqual(words.filter(isEven))
  expect(answers.filter((word) => !isEven(word))).toEqual(words.filter((word) => !isEven(word)))
  const told = upstream.received.map(({ text }) => text)
  expect(told).toEqual(of === telling ? answers : [])
})

test("2.8 a claim whose owner died expires, others go on, and the owner can store nothing", async () => {
  const chat = await chatOver(here, quiet.publicId)
  const { sessionId, resultId } = chat.step
  expect(resultIdOfSession(sessionId)).toBe(resultId)
  const address = { resultId, sessionId }
  const { session } = await findSession(database, address)
  const claim = { ...address, revision: session?.revision ?? 0, seconds: 0.5, by: "the dead" }
  const claimed = await claimSession(database, claim)
  const { rows } = await database.pool.query(
    "select claimed_until from chat_sessions where id = $1",
    [sessionId],
  )
  expect((await chat.say("alive")).status).toBe(200)
  // Both by the clock of the database.
  const { rowCount } = await database.pool.query(
    "select from answers where result_id = $1 and created_at > $2",
    [resultId, rows[0]?.claimed_until],
  )
  expect(rowCount).toBe(1)
  const after = (await findSession(database, address)).session
  expect(after?.revision).toBeGreaterThan(claimed ?? Number.POSITIVE_INFINITY)
  expect(await answersOf(quiet, resultId)).toEqual(["alive"])
})

test("2.8 a turn that waits longer than a turn may take is refused with 409 and leaves no trace", async () => {
  const chat = await chatOver(hasty, quiet.publicId)
  const { resultId, sessionId } = chat.step
  const address = { resultId, sessionId }
  const { session } = await findSession(database, address)
  const claim = { ...address, revision: session?.revision ?? 0, seconds: 60, by: "the busy" }
  await claimSession(database, claim)
  expect((await chat.say("later")).status).toBe(409)
  expect(await answersOf(quiet, resultId)).toEqual([])
})

test("13.4 an upstream that never answers ends the call in time, and the chat goes on", async () => {
  upstream.answers(
    () => {},
    (response) => response.end("{}"),
  )
  const chat = await chatOver(hasty, telling.publicId)
  expect((await chat.say("one")).status).toBe(200)
  expect((await chat.say("two")).status).toBe(200)
  expect(await answersOf(telling, chat.step.resultId)).toEqual(["one", "two"])
})

test("2.9 every call upstream carries a derived key of its own, which reveals nothing", async () => {
  upstream.answers((response) => response.end("{}"))
  const chat = await chatOver(here, telling.publicId)
  const own = "the client's own key"
  await chat.say("one", { "idempotency-key": own })
  await chat.say("one")
  const keys = upstream.received.map(({ headers }) => String(headers["idempotency-key"]))
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key).toMatch(/^[\w-]{20,}$/)
  expect(keys.join()).not.toContain(chat.step.sessionId)
  expect(keys.join()).not.toContain(own)
})

describe("a turn that lost its claim while it called upstream", () => {
  /** Says something here, and when upstream has heard it, lets the claim run out. */
  async function stranded(headers?: Record<string, string>) {
    let answerLate = () => {}
    upstream.answers(
      (response) => {
        answerLate = () => response.end("{}")
      },
      (response) => response.end("{}"),
    )
    const chat = await chatOver(here, telling.publicId)
    const early = chat.say("early", headers)
    await eventually(() => expect(upstream.received).toHaveLength(1))
    const { rowCount } = await database.pool.query(
      `update chat_sessions set claimed_by = 'nobody', claimed_until = now() - interval '1 second'
       where id = $1 and claimed_until > now() + interval '5 seconds'`,
      [chat.step.sessionId],
    )
    expect(rowCount).toBe(1)
    const sayThere = (message: string) =>
      there.send("POST", chat.path, { token: null, body: { message } })
    return { chat, early, sayThere, answerLate: () => answerLate() }
  }

  test("stores nothing and repeats no call once another process has continued", async () => {
    const { chat, early, sayThere, answerLate } = await stranded()
    expect((await sayThere("late")).status).toBe(200)
    answerLate()
    const refused = await early
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/interrupted/)
    expect(await answersOf(telling, chat.step.resultId)).toEqual(["late"])
    expect(upstream.received.map(({ text }) => text)).toEqual(["early", "late"])
    expect((await chat.say("next")).status).toBe(200)
  })

  test("gets the answer of the process that carried the same request out", async () => {
    const headers = { "idempotency-key": "k" }
    const { chat, early, answerLate } = await stranded(headers)
    const body = { message: "early", textBubbleContentFormat: "markdown" }
    const same = await there.send("POST", chat.path, { token: null, body, headers })
    expect(same.status).toBe(200)
    answerLate()
    expect(await early).toMatchObject({ status: 200, body: same.body })
    expect(await answersOf(telling, chat.step.resultId)).toEqual(["early"])
    const keys = upstream.received.map(({ headers }) => headers["idempotency-key"])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  test("is stored anyway if no process has continued", async () => {
    const { chat, early, answerLate } = await stranded()
    answerLate()
    expect((await early).status).toBe(200)
    expect(await answersOf(telling, chat.step.resultId)).toEqual(["early"])
    expect(new Set(upstream.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
  })
})
