/** Logs that clients add to the results of their chats. */
import { expect, it } from "vitest"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const flow = bot(group("A", say("Hello"), ask.text()))
const { botId, publicId } = await publishBot(server, flow)

const add = (sessionId: string, clientLogs: unknown, headers: Record<string, string> = {}) =>
  server.send("POST", `/api/v1/sessions/${sessionId}/clientLogs`, {
    token: null,
    body: { clientLogs },
    headers,
  })

async function logsOf(resultId: string, ofBot = botId) {
  const { body } = await server.send("GET", `/api/v1/bots/${ofBot}/results/${resultId}/logs`)
  return body.logs as Record<string, unknown>[]
}

it("stores what a client says among the logs of its result, in its order", async () => {
  const { step } = await chatOver(server, publicId)
  const reply = await add(step.sessionId, [
    { status: "info", description: "Script ran", details: "well", context: "Script" },
    { description: "Request failed", details: { code: 5, list: [null] } },
    { status: null, description: "Odd", details: null, context: null },
  ])
  expect(reply).toMatchObject({ status: 200, body: { message: "success" } })
  expect(await logsOf(step.resultId)).toMatchObject([
    { status: "info", description: "Script ran", details: "well", context: "Script" },
    { status: "error", description: "Request failed", details: '{"code":5,"list":[null]}' },
    { status: "error", description: "Odd", details: null, context: null },
  ])
})

it("cuts long texts", async () => {
  const { step } = await chatOver(server, publicId)
  const long = "x".repeat(1_001)
  const cut = `${"x".repeat(1_000)}...`
  await add(step.sessionId, [{ description: long, details: [long], context: long, status: long }])
  const [log] = await logsOf(step.resultId)
  expect(log).toMatchObject({
    description: cut,
    details: `["${"x".repeat(998)}...`,
    context: cut,
    status: "x".repeat(20),
  })
})

it("answers at the address that clients of the second version use", async () => {
  const { step } = await chatOver(server, publicId)
  const reply = await server.send("POST", `/api/v2/sessions/${step.sessionId}/clientLogs`, {
    token: null,
    body: { clientLogs: [{ description: "Second" }] },
  })
  expect(reply.status).toBe(200)
  expect(await logsOf(step.resultId)).toMatchObject([{ description: "Second" }])
})

it("10.10 takes fifty lines in a call and a thousand in all", async () => {
  const { step } = await chatOver(server, publicId)
  const lines = (count: number) => Array.from({ length: count }, () => ({ description: "d" }))
  expect((await add(step.sessionId, lines(51))).status).toBe(400)
  expect((await add(step.sessionId, [])).status).toBe(200)
  for (let count = 0; count < 20; count++) {
    expect((await add(step.sessionId, lines(50))).status).toBe(200)
  }
  expect((await add(step.sessionId, lines(1))).status).toBe(400)
  expect(await logsOf(step.resultId)).toHaveLength(1_000)
})

it("refuses lines without a description", async () => {
  const { step } = await chatOver(server, publicId)
  expect((await add(step.sessionId, [{ details: "alone" }])).status).toBe(400)
  expect((await add(step.sessionId, undefined)).status).toBe(400)
})

it("is a 404 with the words that clients look for, without a session or a result", async () => {
  const lost = { status: 404, body: { message: "Session not found: start a new chat" } }
  const line = [{ description: "d" }]
  expect(await add("none", line)).toMatchObject(lost)
  const { step, say: reply } = await chatOver(server, publicId)
  await reply("Bye")
  expect(await add(step.sessionId, line)).toMatchObject(lost)
  const registered = await chatOver(server, publicId, { isOnlyRegistering: true })
  expect(await add(registered.step.sessionId, line)).toMatchObject(lost)
  const preview = await server.send("POST", `/api/v1/bots/${botId}/preview/startChat`)
  expect(await add(String(preview.body.sessionId), line)).toMatchObject(lost)
})

it("refuses pages that the author does not list", async () => {
  const settings = { security: { allowedOrigins: ["https://shop.example.com"] } }
  const guarded = await publishBot(server, bot({ settings }, group("A", ask.text())))
  const { step } = await chatOver(server, guarded.publicId)
  const line = [{ description: "d" }]
  const from = (origin: string) => add(step.sessionId, line, { origin })
  expect((await from("https://evil.example.com")).status).toBe(403)
  expect((await from("https://shop.example.com")).status).toBe(200)
  expect(await logsOf(step.resultId, guarded.botId)).toHaveLength(1)
})

it("can be stored while the chat waits for the client", async () => {
  const wait = bot(group("W", block("Wait", { secondsToWaitFor: "1", shouldPause: true })))
  const published = await publishBot(server, wait)
  const { step } = await chatOver(server, published.publicId)
  expect((await add(step.sessionId, [{ description: "d" }])).status).toBe(200)
})
