/** Calls from outside to waiting chats, over HTTP and through two services on one database. */
import { describe, expect, it } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot, type Step } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually, joinRoom, waitForEvent } from "../support/waiting.ts"

const DATABASE_URL = await testDatabaseUrl()
const here = await testServer({ DATABASE_URL })
const there = await testServer({ DATABASE_URL })

const hook = (id = "hook", more: object = {}) =>
  block(
    "webhook",
    { responseVariableMapping: [{ id: "m", bodyPath: "data.name", variableId: idOf("Name") }] },
    { id, ...more },
  )
const flow = bot(group("A", say("Wait"), hook(), say("Hi {{Name}}"), ask.text({ id: "ask" })))
const { botId, publicId } = await publishBot(here, flow)

type Called = { botId?: string; blockId?: string; resultId: string }

const pathTo = (called: Called) =>
  `/api/v1/bots/${called.botId ?? botId}/blocks/${called.blockId ?? "hook"}` +
  `/results/${called.resultId}/executeWebhook`

const call = (called: Called, sent: object = { body: { name: "Ann" } }) =>
  here.send("POST", pathTo(called), sent)

async function strangers() {
  const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
  const email = `eve-${Math.random()}@example.com`
  const { token } = await createAccount(db, { email })
  const eve = await db.kysely
    .selectFrom("users")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow()
  const collaborate = async (type: "READ" | "WRITE") => {
    await db.kysely.deleteFrom("botCollaborators").where("userId", "=", eve.id).execute()
    await db.kysely.insertInto("botCollaborators").values({ botId, userId: eve.id, type }).execute()
  }
  return { token, collaborate, close: () => db.close() }
}

describe("19.10 a call", () => {
  it("reaches the client that waits, whose reply takes the chat on", async () => {
    const { step, say: reply } = await chatOver(here, publicId)
    expect(step.clientSideActions).toMatchObject([
      { type: "listenForWebhook", expectsDedicatedReply: true },
    ])
    const waiter = await waitForEvent(here.address, step.sessionId)
    expect(waiter.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    expect(waiter.headers.get("access-control-allow-origin")).toBe("*")
    expect(await call(step)).toMatchObject({ status: 200, body: { message: "OK" } })
    const event = await waiter.event
    expect(event?.data).toBe('{"data":{"name":"Ann"}}')
    const next = await reply(event?.data)
    expect(next.body.messages).toMatchObject([{ content: { markdown: "Hi Ann" } }])
    expect(next.body.input).toMatchObject({ id: "ask" })
  })

  it("reaches clients of another process over every protocol", async () => {
    const { step } = await chatOver(here, publicId)
    const waiter = await waitForEvent(there.address, step.sessionId)
    const byResult = await joinRoom(there.address, step.resultId)
    const bySession = await joinRoom(here.address, step.sessionId)
    await call(step)
    expect((await waiter.event)?.data).toBe('{"data":{"name":"Ann"}}')
    await eventually(() => expect(bySession.heard).toEqual(['{"data":{"name":"Ann"}}']))
    await eventually(() => expect(byResult.heard).toEqual(['{"data":{}}']))
  })

  it("waits for a client that comes later, and comes again to one that lost it", async () => {
    const { step } = await chatOver(here, publicId)
    await call(step)
    const first = await (await waitForEvent(there.address, step.sessionId)).event
    const again = await (await waitForEvent(here.address, step.sessionId)).event
    expect(first?.data).toBe('{"data":{"name":"Ann"}}')
    expect(again).toEqual(first)
  })

  it("does not come again to a client that names it as its last", async () => {
    const loop = bot(group("L", hook("again"), say("Got {{Name}}", { to: "L" })))
    const published = await publishBot(here, loop)
    const { step, say: reply } = await chatOver(here, published.publicId)
    const address = { botId: published.botId, blockId: "again", resultId: step.resultId }
    await call(address, { body: { name: "first" } })
    const event = await (await waitForEvent(here.address, step.sessionId)).event
    const headers = { "last-event-id": event?.id ?? "" }
    const waiter = await waitForEvent(here.address, step.sessionId, headers)
    await reply(event?.data)
    await call(address, { body: { name: "second" } })
    expect((await waiter.event)?.data).toBe('{"data":{"name":"second"}}')
  })

  it("takes its turn when there are several, one for each wait", async () => {
    const loop = bot(group("L", hook("again"), say("Got {{Name}}", { to: "L" })))
    const published = await publishBot(here, loop)
    const { step, say: reply } = await chatOver(here, published.publicId)
    const address = { botId: published.botId, blockId: "again", resultId: step.resultId }
    await call(address, { body: { name: "first" } })
    await call(address, { body: { name: "second" } })
    for (const name of ["first", "second"]) {
      const event = await (await waitForEvent(there.address, step.sessionId)).event
      expect(event?.data).toBe(JSON.stringify({ data: { name } }))
      const next = await reply(event?.data)
      expect(next.body.messages).toMatchObject([{ content: { markdown: `Got ${name}` } }])
    }
  })

  it("reaches every client of a room, and only that room", async () => {
    const chats = await Promise.all([1, 2, 3].map(() => chatOver(here, publicId)))
    const rooms = await Promise.all(
      chats.map(({ step }) =>
        Promise.all([here, there, here, there].map((at) => joinRoom(at.address, step.sessionId))),
      ),
    )
    await Promise.all(
      chats.map(({ step }, index) => call(step, { body: { name: `chat ${index}` } })),
    )
    for (const [index, clients] of rooms.entries()) {
      for (const { heard } of clients) {
        await eventually(() => expect(heard).toEqual([`{"data":{"name":"chat ${index}"}}`]))
      }
    }
  })
})

describe("when notifications get lost", () => {
  it("a call reaches the client all the same, within seconds", async () => {
    const { step } = await chatOver(here, publicId)
    const waiter = await waitForEvent(there.address, step.sessionId)
    const room = await joinRoom(here.address, step.resultId)
    const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
    await db.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parley listen'`,
    )
    await db.close()
    await call(step)
    expect((await waiter.event)?.data).toBe('{"data":{"name":"Ann"}}')
    await eventually(() => expect(room.heard).toHaveLength(1))
  })
})

describe("the body of a call", () => {
  const heardFor = async (sent: object) => {
    const { step } = await chatOver(here, publicId)
    const reply = await call(step, sent)
    if (reply.status !== 200) return reply.status
    return (await (await waitForEvent(here.address, step.sessionId)).event)?.data
  }

  it("may name what the path names", async () => {
    const body = { botId: "b", blockId: "c", resultId: "d", body: [1] }
    expect(await heardFor({ body })).toBe(JSON.stringify({ data: body }))
  })

  it("counts as empty when it is no JSON, with any type", async () => {
    const headers = { "content-type": "text/plain" }
    expect(await heardFor({ body: "name=Ann", headers })).toBe('{"data":{}}')
    expect(await heardFor({ body: "{nonsense" })).toBe('{"data":{}}')
    expect(await heardFor({})).toBe('{"data":{}}')
    expect(await heardFor({ body: '{"name":"Ann"}', headers })).toBe('{"data":{"name":"Ann"}}')
  })

  it("is refused when it is JSON but no object, or larger than 1 MiB", async () => {
    expect(await heardFor({ body: "[1]" })).toBe(400)
    expect(await heardFor({ body: "5" })).toBe(400)
    const mebibyte = 1024 * 1024
    const longest = "x".repeat(100_000 - '{"data":{"a":""}}'.length)
    expect(await heardFor({ body: { a: longest } })).toHaveLength(100_000)
    // Taken, but the text that the client sends back would be longer than a message may be.
    expect(await heardFor({ body: { a: `${longest}x` } })).toBe('{"data":{}}')
    expect(await heardFor({ body: `{"a":"${"x".repeat(mebibyte - 8)}"}` })).toBe('{"data":{}}')
    expect(await heardFor({ body: `{"a":"${"x".repeat(mebibyte - 7)}"}` })).toBe(413)
  })
})

describe("19.10 a call is refused", () => {
  it("unless the chat of that result waits at exactly that block of that bot", async () => {
    const other = await publishBot(here, flow)
    const mine = (await chatOver(here, publicId)).step
    const foreign = (await chatOver(here, other.publicId)).step
    const status = async (called: Called) => (await call(called)).status
    expect(await status({ ...mine, botId: other.botId })).toBe(404)
    expect(await status(foreign)).toBe(404)
    expect(await status({ ...mine, blockId: "ask" })).toBe(404)
    expect(await status({ ...mine, blockId: "none" })).toBe(404)
    expect(await status({ resultId: "0195d0a0-0000-7000-8000-000000000000" })).toBe(404)
    expect(await status({ resultId: "none" })).toBe(404)
    expect(await status({ ...mine, botId: "none" })).toBe(404)
    expect(await status(mine)).toBe(200)
  })

  it("once the chat has gone on, is over, or was deleted", async () => {
    const { step, say: reply } = await chatOver(here, publicId)
    expect((await call(step)).status).toBe(200)
    await reply()
    expect((await call(step)).status).toBe(404)
    await reply("Bye")
    expect((await call(step)).status).toBe(404)
    const deleted = (await chatOver(here, publicId)).step
    const path = `/api/v1/bots/${botId}/results?resultIds=${deleted.resultId}`
    expect((await here.send("DELETE", path)).status).toBe(200)
    expect((await call(deleted)).status).toBe(404)
  })

  it("at a block that waits for something else", async () => {
    const wait = bot(
      group("W", block("Wait", { secondsToWaitFor: "1", shouldPause: true }, { id: "hook" })),
    )
    const published = await publishBot(here, wait)
    const { step } = await chatOver(here, published.publicId)
    expect(step.clientSideActions).toMatchObject([{ type: "wait" }])
    expect((await call({ ...step, botId: published.botId })).status).toBe(404)
  })

  it("when the chat has not taken twenty before", async () => {
    const { step } = await chatOver(here, publicId)
    for (let count = 0; count < 20; count++) expect((await call(step)).status).toBe(200)
    const refused = await call(step)
    expect(refused.status).toBe(429)
    expect(refused.headers.get("retry-after")).toBe("10")
  })
})

describe("19.10 a preview", () => {
  const testPath = (blockId = "hook", bot = botId) =>
    `/api/v1/bots/${bot}/blocks/${blockId}/web/executeTestWebhook`
  const preview = async (more: object = {}, token: string | null = here.token) => {
    const sent = { token, body: { bot: flow, ...more } }
    const reply = await here.send("POST", `/api/v1/bots/${botId}/preview/startChat`, sent)
    return reply.body as Step
  }
  const test = (token = here.token, path = testPath()) =>
    here.send("POST", path, { token, body: { name: "Tess" } })

  it.each([
    {},
    { sessionId: "0195d0a0-0000-7000-8000-000000000001" },
  ])("is called by the user who started it (%j)", async (more) => {
    const { sessionId } = await preview(more)
    const waiter = await waitForEvent(there.address, sessionId)
    const room = await joinRoom(here.address, sessionId)
    expect(await test()).toMatchObject({ status: 200, body: { message: "OK" } })
    expect((await waiter.event)?.data).toBe('{"data":{"name":"Tess"}}')
    await eventually(() => expect(room.heard).toHaveLength(1))
  })

  it("is not called by others, elsewhere, or without an owner", async () => {
    const { token, collaborate, close } = await strangers()
    await preview()
    await preview({}, null)
    expect((await test(token)).status).toBe(404)
    await collaborate("READ")
    expect((await test(token)).status).toBe(404)
    expect((await test(here.token, testPath("ask"))).status).toBe(404)
    const other = await publishBot(here, flow)
    expect((await test(here.token, testPath("hook", other.botId))).status).toBe(404)
    // Readers preview the stored draft.
    await preview({ bot: undefined }, token)
    expect((await test(token)).status).toBe(200)
    await close()
  })

  it("that starts anew knows nothing of the calls before", async () => {
    const { sessionId } = await preview({ sessionId: "again" })
    await test()
    expect((await (await waitForEvent(here.address, sessionId)).event)?.data).toContain("Tess")
    await preview({ sessionId: "again" })
    const waiter = await waitForEvent(here.address, sessionId)
    await here.send("POST", testPath(), { body: { name: "Theo" } })
    expect((await waiter.event)?.data).toContain("Theo")
  })
})
