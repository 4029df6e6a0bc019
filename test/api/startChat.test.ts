/** Starting chats over REST. */
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { ask, bot, group, say, show } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
const start = (publicId: string, body?: unknown, headers?: Record<string, string>) =>
  server.send("POST", `/api/v1/bots/${publicId}/startChat`, {
    token: null,
    ...(body === undefined ? {} : { body }),
    ...(headers ? { headers } : {}),
  })

const contact = bot(group("Contact", say("Hello {{Name}}"), ask.text({ saves: "City" })))
const { publicId, botId } = await publishBot(server, contact)

describe("2.2 a start", () => {
  it("2.7 gives a session without a hyphen, the result and the bot", async () => {
    const { status, body } = await start(publicId)
    expect(status).toBe(200)
    expect(body.sessionId).toMatch(/^[a-zA-Z0-9]{40,}$/)
    expect(body).toMatchObject({
      resultId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      bot: { id: botId, version: "6.1", theme: {}, publishedAt: expect.any(String) },
      input: { type: "text input" },
    })
  })

  it("2.7 names no result without a question, as when the chat waits for an embedded page", async () => {
    const waitForEvent = { isEnabled: true, name: "done" }
    const page = bot(group("Page", show("embed", { url: "https://e.com", waitForEvent })))
    const { body } = await start((await publishBot(server, page)).publicId)
    expect(body).toMatchObject({ messages: [{ type: "embed" }] })
    expect(body).not.toHaveProperty("resultId")
  })

  it.each([
    ["no body", undefined],
    ["an empty object", {}],
    ["an empty text", ""],
  ])("accepts %s", async (_, body) => {
    expect((await start(publicId, body)).status).toBe(200)
  })

  it("ignores unknown members and a needless token", async () => {
    const headers = { authorization: "Bearer nonsense" }
    expect((await start(publicId, { visitorId: "x", chat: {} }, headers)).status).toBe(200)
  })

  it("accepts any prefilled value and names that the bot does not know", async () => {
    const prefilledVariables = { Name: "Ann", n: 1, b: true, l: ["a", 1], o: {}, none: null }
    const chat = await chatOver(server, publicId, { prefilledVariables })
    expect(textsOf(chat.step)).toEqual(["Hello Ann"])
  })

  it.each([
    [{ isStreamEnabled: "false" }, "isStreamEnabled"],
    [{ textBubbleContentFormat: "html" }, "textBubbleContentFormat"],
    [{ message: 5 }, "message"],
    [{ prefilledVariables: [] }, "prefilledVariables"],
  ])("refuses %j and says where", async (body, path) => {
    const refused = await start(publicId, body)
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ code: "BAD_REQUEST", issues: [{ path: [path] }] })
  })

  it("knows public ids only as they are written", async () => {
    expect((await start(publicId.toUpperCase())).status).toBe(404)
    expect((await start("nobody")).body).toMatchObject({
      message: "No published bot has this public id",
    })
  })

  it("records the view, and the answer later", async () => {
    const chat = await chatOver(server, publicId)
    const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}`
    const viewed = await server.send("GET", path)
    expect(viewed.body.result).toMatchObject({ hasStarted: false, isCompleted: false, answers: [] })
    await chat.say("Rome")
    const answered = await server.send("GET", path)
    expect(answered.body.result).toMatchObject({
      hasStarted: true,
      isCompleted: true,
      lastChatSessionId: chat.step.sessionId,
      variables: [{ name: "City", value: "Rome" }],
      answers: [{ content: "Rome" }],
    })
  })

  it("4.1 only registers on request, and starts with the first message", async () => {
    const quiet = await publishBot(
      server,
      bot(group("Q", ask.text({ saves: "N" }), say("Hi {{N}}"))),
    )
    const chat = await chatOver(server, quiet.publicId, { isOnlyRegistering: true })
    expect(chat.step).toMatchObject({ messages: [] })
    expect(chat.step).not.toHaveProperty("input")
    expect(textsOf((await chat.say("Ann")).body)).toEqual(["Hi Ann"])
  })

  it("3.7 answers the first input with the message of the start", async () => {
    const quiet = await publishBot(
      server,
      bot(group("Q", ask.text({ saves: "N" }), say("Hi {{N}}"))),
    )
    const chat = await chatOver(server, quiet.publicId, { message: "Ann" })
    expect(textsOf(chat.step)).toEqual(["Hi Ann"])
  })
})

describe("2.2 admission", () => {
  const guarded = bot(
    { settings: { security: { allowedOrigins: ["https://shop.example"] } } },
    group("A", ask.text()),
  )

  it("lets listed pages and servers in, and no other page", async () => {
    const { publicId } = await publishBot(server, guarded)
    expect((await start(publicId)).status).toBe(200)
    expect((await start(publicId, {}, { origin: "https://shop.example" })).status).toBe(200)
    const foreign = await start(publicId, {}, { origin: "https://evil.example" })
    expect(foreign).toMatchObject({ status: 403, body: { reason: "ORIGIN_NOT_ALLOWED" } })
    expect(foreign.headers.get("access-control-allow-origin")).toBe("*")
  })

  it("admits the service's own page under any name of its machine", async () => {
    const { publicId } = await publishBot(server, guarded)
    const inFrameOf = (origin: string) => ({
      origin: server.address,
      "x-parley-iframe-referrer-origin": origin,
    })
    expect((await start(publicId, {}, { origin: server.address })).status).toBe(200)
    expect((await start(publicId, {}, inFrameOf(server.address))).status).toBe(200)
    expect((await start(publicId, {}, inFrameOf("https://shop.example"))).status).toBe(200)
    expect((await start(publicId, {}, inFrameOf("https://evil.example"))).status).toBe(403)
  })

  it.each([
    ["its own, by whatever name", () => server.address, 200],
    ["none that is not listed", () => "https://evil.example", 403],
  ])("lets pages listen to a chat: %s", async (_, originOf, status) => {
    const { step } = await chatOver(server, (await publishBot(server, guarded)).publicId)
    const headers = { origin: originOf() }
    const leaving = new AbortController()
    const { signal } = leaving
    const events = `${server.address}/api/v1/sessions/${step.sessionId}/events`
    expect((await fetch(events, { headers, signal })).status).toBe(status)
    leaving.abort()
    const room = `${server.address.replace("http", "ws")}/parties/main/${step.sessionId}/webhooks`
    const socket = new WebSocket(room, { headers })
    // "Unexpected server response: 403"
    const told = await once(socket, "open").then(() => "200", String)
    expect(told).toMatch(new RegExp(`${status}$`))
    socket.terminate()
  })

  it("refuses foreign pages in a running chat too", async () => {
    const { publicId } = await publishBot(server, guarded)
    const chat = await chatOver(server, publicId)
    expect((await chat.say("x", { origin: "https://evil.example" })).status).toBe(403)
    expect((await chat.say("x")).status).toBe(200)
  })

  it("turns people away from a closed bot with its own words, and lets running chats go on", async () => {
    const closing = bot(
      { settings: { general: { systemMessages: { botClosed: "We are off." } } } },
      group("A", ask.text()),
    )
    const { publicId, botId } = await publishBot(server, closing)
    const chat = await chatOver(server, publicId)
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { isClosed: true } } })
    const refused = await start(publicId)
    expect(refused).toMatchObject({ status: 400, body: { message: "We are off." } })
    expect((await chat.say("x")).status).toBe(200)
  })

  it("does not know an unpublished bot", async () => {
    const { publicId, botId } = await publishBot(server, contact)
    await server.send("POST", `/api/v1/bots/${botId}/unpublish`)
    expect((await start(publicId)).status).toBe(404)
  })
})

describe("2.2 a returning user", () => {
  const remembering = bot(
    { settings: { general: { rememberUser: { isEnabled: true } } } },
    group("A", say("Hi {{Name}}"), ask.text({ saves: "Name" }), ask.text()),
  )

  it("goes on with the earlier result where the bot remembers", async () => {
    const { publicId, botId } = await publishBot(server, remembering)
    const first = await chatOver(server, publicId)
    await first.say("Ann")
    const { resultId } = first.step
    const second = await chatOver(server, publicId, { resultId })
    expect(second.step.resultId).toBe(resultId)
    expect(textsOf(second.step)).toEqual(["Hi Ann"])
    await second.say("Bea")
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results/${resultId}`)
    expect(body.result).toMatchObject({ answers: [{ content: "Ann" }, { content: "Bea" }] })
  })

  it("goes on however long it has gone round a loop", async () => {
    const { publicId } = await publishBot(server, remembering)
    const first = await chatOver(server, publicId)
    await first.say("Ann")
    const { resultId } = first.step
    const run = (sql: string) => database.pool.query(sql, [resultId])
    await run("update answers set content = repeat('x', 1000000) where result_id = $1")
    await run(`insert into answers (result_id, idx, block_id, content)
      select result_id, n, block_id, case when n < 300 then content else 'Ann' end
      from answers, generate_series(1, 300) n where result_id = $1`)
    const second = await chatOver(server, publicId, { resultId })
    expect(textsOf(second.step)).toEqual(["Hi Ann"])
  })

  it("reads its own words as plain text again (7.7)", async () => {
    const { publicId, botId } = await publishBot(server, remembering)
    const first = await chatOver(server, publicId)
    await first.say("[Ann](https://evil.example)")
    const { resultId } = first.step
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results/${resultId}`)
    const value = "[Ann](https://evil.example)"
    const variable = { id: expect.any(String), name: "Name", isSessionVariable: false, value }
    const { variables } = body.result as { variables: object[] }
    expect(variables).toEqual([variable])
    const second = await chatOver(server, publicId, { resultId })
    expect(textsOf(second.step)).toEqual(["Hi \\[Ann\\]\\(https://evil.example)"])
  })

  it("gets a new result for an unknown, garbled or foreign id", async () => {
    const own = await publishBot(server, remembering)
    const other = await chatOver(server, (await publishBot(server, remembering)).publicId)
    for (const resultId of [
      "nonsense",
      "0199aaaa-0000-7000-8000-000000000000",
      other.step.resultId,
    ]) {
      const chat = await chatOver(server, own.publicId, { resultId })
      expect(chat.step.resultId).not.toBe(resultId)
    }
  })

  it("gets a new result where the bot does not remember", async () => {
    const chat = await chatOver(server, publicId)
    const again = await chatOver(server, publicId, { resultId: chat.step.resultId })
    expect(again.step.resultId).not.toBe(chat.step.resultId)
  })
})
