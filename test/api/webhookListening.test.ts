/** Waiting for calls from outside: who may listen, and how it ends, through several services. */
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually, joinRoom, waitForEvent } from "../support/waiting.ts"

const DATABASE_URL = await testDatabaseUrl()
const here = await testServer({ DATABASE_URL })
const there = await testServer({ DATABASE_URL })
// Longer than any test may take.
const stopping = await testServer({ DATABASE_URL, PARLEY_STOP_TIMEOUT_MS: "600000" })

const responseVariableMapping = [{ id: "m", bodyPath: "data.name", variableId: idOf("Name") }]
const hook = () => block("webhook", { responseVariableMapping }, { id: "hook" })
const flow = bot(group("A", say("Wait"), hook(), say("Hi {{Name}}"), ask.text({ id: "ask" })))
const { botId, publicId } = await publishBot(here, flow)

describe("listening", () => {
  it("is a 404 without a session", async () => {
    const unknown = await waitForEvent(here.address, "none")
    expect(unknown.status).toBe(404)
    await expect(joinRoom(here.address, "none")).rejects.toThrow("404")
    await expect(joinRoom(here.address, "0195d0a0-0000-7000-8000-000000000000")).rejects.toThrow(
      "404",
    )
    const reply = await here.send("GET", "/api/v1/sessions/none/events")
    expect(reply.body).toMatchObject({
      code: "NOT_FOUND",
      message: "Session not found: start a new chat",
    })
  })

  it("needs the session: a result id opens neither events nor data of calls", async () => {
    const { step } = await chatOver(here, publicId)
    expect((await waitForEvent(here.address, step.resultId)).status).toBe(404)
    const room = await joinRoom(there.address, step.resultId)
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${step.resultId}/executeWebhook`
    await here.send("POST", path, { body: { name: "Ann" } })
    await eventually(() => expect(room.heard).toEqual(['{"data":{}}']))
    expect((await waitForEvent(here.address, step.resultId)).status).toBe(404)
  })

  it("ends with a text that can be sent back, however long the call is", async () => {
    const { step, say: reply } = await chatOver(here, publicId)
    const waiter = await waitForEvent(there.address, step.sessionId)
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${step.resultId}/executeWebhook`
    await here.send("POST", path, { body: { name: "Ann", notes: "x".repeat(100_000) } })
    expect(await waiter.event).toMatchObject({ data: '{"data":{}}' })
    const { body } = await reply('{"data":{}}')
    expect(textsOf(body)).toEqual(["Hi Ann"])
  })

  it("is open to the pages that the author lists, and to callers that are no browsers", async () => {
    const settings = { security: { allowedOrigins: ["https://shop.example.com"] } }
    const guarded = await publishBot(here, bot({ settings }, group("A", hook())))
    const { step } = await chatOver(here, guarded.publicId)
    const foreign = { origin: "https://evil.example.com" }
    const listed = { origin: "https://shop.example.com" }
    expect((await waitForEvent(here.address, step.sessionId, foreign)).status).toBe(403)
    await expect(joinRoom(here.address, step.resultId, foreign)).rejects.toThrow("403")
    expect((await waitForEvent(here.address, step.sessionId, listed)).status).toBe(200)
    await joinRoom(here.address, step.resultId, listed)
    await joinRoom(here.address, step.resultId)
  })

  it("is possible from any page by preflight", async () => {
    const reply = await here.send("OPTIONS", "/api/v1/sessions/any/events", {
      headers: { origin: "https://a.example.com", "access-control-request-headers": "x-any" },
    })
    expect(reply.status).toBe(204)
    expect(reply.headers.get("access-control-allow-headers")).toBe("x-any")
  })

  it("ends when the client leaves, and nothing is sent any more", async () => {
    const { step } = await chatOver(here, publicId)
    const waiter = await waitForEvent(here.address, step.sessionId)
    waiter.leave()
    expect(await waiter.event).toBeUndefined()
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${step.resultId}/executeWebhook`
    expect((await here.send("POST", path, { body: { name: "Ann" } })).status).toBe(200)
  })
})

describe("a chat that is gone", () => {
  it("is no longer awaited after any kind of deletion", async () => {
    const gone = await publishBot(here, flow)
    const { step } = await chatOver(here, gone.publicId)
    const waiter = await waitForEvent(there.address, step.sessionId)
    expect(waiter.status).toBe(200)
    await here.send("DELETE", `/api/v1/bots/${gone.botId}`)
    // Chats are looked for every half minute; the clock of the process goes by that at once.
    const now = performance.now.bind(performance)
    vi.spyOn(performance, "now").mockImplementation(() => now() + 31_000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await waiter.event).toBeUndefined()
    expect((await waitForEvent(there.address, step.sessionId)).status).toBe(404)
  })
})

describe("a token", () => {
  it("that is revoked in one process is refused in the other", async () => {
    const made = await here.send("POST", "/api/v1/users/me/api-tokens", { body: { name: "T" } })
    const { id, token } = made.body.apiToken as { id: string; token: string }
    const status = async () => (await there.send("GET", "/api/v1/users/me", { token })).status
    expect(await status()).toBe(200)
    await here.send("DELETE", `/api/v1/users/me/api-tokens/${id}`)
    await eventually(async () => expect(await status()).toBe(401))
  })
})

describe("a stop", () => {
  it("says goodbye to those who wait instead of waiting for them", async () => {
    const { step } = await chatOver(here, publicId)
    const waiter = await waitForEvent(stopping.address, step.sessionId)
    const room = await joinRoom(stopping.address, step.resultId)
    await stopping.stop()
    expect(await waiter.event).toBeUndefined()
    expect(await room.closed).toBe(1001)
  })
})
