/** Answers of models are read bit by bit over HTTP, and what comes with them is kept at once. */

import { PassThrough } from "node:stream"
import { createTRPCClient, httpSubscriptionLink } from "@trpc/client"
import superjson from "superjson"
import { EventSource } from "undici"
import { beforeEach, expect, test, vi } from "vitest"
import { createBodyBudget } from "../../src/http/bodies/bodyBudget.ts"
import { openExchange } from "../../src/http/exchange.ts"
import { createStreamEndpoint } from "../../src/http/pages/streamEndpoint.ts"
import { createUnread } from "../../src/http/unread.ts"
import { tooManyRequests } from "../../src/lib/errors.ts"
import type { AppRouter } from "../../src/routers/app.ts"
import type { Services } from "../../src/routers/context.ts"
import { events, json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const provider = await startPeer()
const folder = await testFolder()
const server = await testServer({ PARLEY_ALLOW_HOSTS: "127.0.0.1", PARLEY_DATA: folder })
const apiKey = "sk-secret-of-the-workspace"

beforeEach(() => provider.answers())

const newCredential = async (baseUrl?: string) => {
  const { body } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = body.workspaces as { id: string }[]
  const data = { apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }
  const credentials = { type: "openai", name: "AI", data }
  const made = await server.send("POST", "/api/v1/credentials", {
    body: { workspaceId: workspace?.id, credentials },
  })
  return String(made.body.credentialsId)
}
const credentialsId = await newCredential(`${provider.url}/v1`)

const completion = (options: object = {}) =>
  block("openai", {
    credentialsId,
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [{ role: "user", content: "Hello {{Name}}" }],
    responseMapping: [
      { item: "Message content", variableId: idOf("Reply") },
      { item: "Total tokens", variableId: idOf("Tokens") },
    ],
    ...options,
  })

const flow = (options: object = {}) =>
  bot(
    group(
      "A",
      ask.text({ saves: "Name" }),
      completion(options),
      say("{{Reply}}"),
      say("It took {{Tokens}}"),
      ask.text(),
    ),
  )

const { publicId } = await publishBot(server, flow())

const delta = (content: string) => ({ choices: [{ delta: { content } }] })
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const answered = events(delta("Hi "), delta("Ann"), { choices: [], usage }, "[DONE]")

async function waiting(id = publicId) {
  const chat = await chatOver(server, id, { isStreamEnabled: true })
  const { body } = await chat.say("Ann")
  return { ...chat, body }
}

const read = (sessionId: string, version = "v2", init: RequestInit = {}) =>
  fetch(`${server.address}/api/${version}/sessions/${sessionId}/streamMessage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
    ...init,
  })

test("no answer is asked for where a visitor wants the key to go", async () => {
  const led = { credentialsId: await newCredential(), baseUrl: "{{Name}}" }
  const bot = await publishBot(server, flow(led))
  const chat = await chatOver(server, bot.publicId, { isStreamEnabled: true })
  await chat.say(`${provider.url}/v1`)
  const response = await read(chat.step.sessionId)
  expect(response.status).toBe(404)
  expect(await response.text()).toContain("The account is not used for this address")
  expect(provider.received).toHaveLength(0)
})

test("no answer is asked for while a person has taken over", async () => {
  const { step } = await waiting()
  const path = `/api/v1/sessions/${step.sessionId}`
  await server.send("PATCH", path, { body: { state: "paused" } })
  const reply = await server.send("POST", `${path}/streamMessage`, { token: null })
  expectRefusal(reply, 409, "CHAT_PAUSED")
  expect(provider.received).toHaveLength(0)
})

test("the client reads the answer, then sends it back and is not shown it again", async () => {
  provider.answers(answered)
  const { body, step, say: reply } = await waiting()
  expect(body.clientSideActions).toEqual([
    { type: "stream", stream: true, expectsDedicatedReply: true },
  ])
  expect(provider.received).toHaveLength(0)
  const response = await read(step.sessionId)
  expect(response.status).toBe(200)
  expect(response.headers.get("access-control-allow-origin")).toBe("*")
  expect(response.headers.get("x-accel-buffering")).toBe("no")
  const lines = (await response.text()).split("\n")
  expect(lines.map((line) => line.slice(0, 2))).toEqual(["f:", "0:", "0:", "e:", "d:", ""])
  expect(lines.slice(1, 3)).toEqual(['0:"Hi "', '0:"Ann"'])
  // Parts of the session's id are nobody's business.
  const { messageId } = JSON.parse(lines[0]?.slice(2) ?? "{}") as { messageId: string }
  expect(messageId).toMatch(/^msg-[\w-]{12}$/)
  expect(messageId).not.toMatch(/stream$/)
  expect(provider.received[0]?.json).toMatchObject({
    stream: true,
    messages: [{ role: "user", content: "Hello Ann" }],
  })
  const next = await reply("Hi Ann")
  expect(textsOf(next.body)).toEqual(["It took 7"])
  const { body: result } = await server.send(
    "GET",
    `/api/v1/bots/${(step.bot as { id: string }).id}/results/${step.resultId}`,
  )
  const { variables } = result.result as { variables: { name: string; value: string }[] }
  expect(variables).toContainEqual(expect.objectContaining({ name: "Reply", value: "Hi Ann" }))
  expect(variables).toContainEqual(expect.objectContaining({ name: "Tokens", value: "7" }))
})

test("a client of tRPC reads the same answer as typed parts", async () => {
  provider.answers(answered)
  const { step } = await waiting()
  const url = `${server.address}/api/trpc`
  const client = createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({ url, transformer: superjson, EventSource: EventSource as never }),
    ],
  })
  const parts: unknown[] = []
  await new Promise<void>((onComplete, onError) => {
    const { sessionId } = step
    const onData = (part: unknown) => void parts.push(part)
    client.chat.streamAnswer.subscribe({ sessionId }, { onData, onComplete, onError })
  })
  expect(parts).toMatchObject([
    { data: { type: "text", text: "Hi " } },
    { data: { type: "text", text: "Ann" } },
  ])
  expect(provider.received).toHaveLength(1)
})

test("a client of tRPC that comes back does not get a second answer behind half of the first", async () => {
  provider.answers(answered)
  const { step } = await waiting()
  const input = encodeURIComponent(JSON.stringify({ json: { sessionId: step.sessionId } }))
  const url = `${server.address}/api/trpc/chat.streamAnswer?input=${input}`
  const [, lastId = ""] = /^id: (.+)$/m.exec(await (await fetch(url)).text()) ?? []
  const again = await fetch(url, { headers: { "last-event-id": lastId } })
  const text = await again.text()
  expect(text).toContain("The connection was lost: go on with the text that has come")
  expect(text).toContain("event: return")
  expect(provider.received).toHaveLength(1)
})

test("variables that functions set are there before the client goes on", async () => {
  const tools = [{ type: "function", name: "note", code: 'setVariable("Tokens", "noted")' }]
  const { publicId: id } = await publishBot(
    server,
    flow({ tools, responseMapping: [{ variableId: idOf("Reply") }] }),
  )
  const call = { index: 0, id: "t1", function: { name: "note", arguments: "{}" } }
  provider.answers(
    events({ choices: [{ delta: { tool_calls: [call] } }] }, "[DONE]"),
    events(delta("Done"), "[DONE]"),
  )
  const { step, say: reply } = await waiting(id)
  const text = await (await read(step.sessionId)).text()
  expect(text).toContain('0:"Done"')
  expect(text).not.toContain("note")
  expect(textsOf((await reply("Done")).body)).toEqual(["It took noted"])
})

test("every version of the path leads there", async () => {
  for (const version of ["v1", "v2", "v3"]) {
    provider.answers(answered)
    const { step } = await waiting()
    expect((await read(step.sessionId, version)).status).toBe(200)
  }
  const preflight = await read("x", "v2", { method: "OPTIONS", body: null })
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
    204,
    "*",
  ])
})

test("a client that could not read the answer goes on without it, and is shown the bubble", async () => {
  const { say: reply } = await waiting()
  expect(textsOf((await reply()).body)).toEqual(["", "It took "])
})

test.each([
  401, 403, 500, 503, 404,
])("a provider that refuses with %i ends the answer, without the key or its words", async (status) => {
  provider.answers(json({ error: { message: `Bad key ${apiKey}` } }, status))
  const { step, say: reply } = await waiting()
  const response = await read(step.sessionId)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).not.toContain(apiKey)
  expect(text).not.toContain("Bad key")
  const [begin, error, ...end] = text.trim().split("\n")
  expect(begin).toMatch(/^f:/)
  expect(error).toMatch(/^3:.*The provider of the model refused/)
  expect(end.map((line) => line[0])).toEqual(["e", "d"])
  expect((await reply()).status).toBe(200)
})

test("an answer that breaks off ends with an error", async () => {
  provider.answers(events(delta("So"), { error: { message: "overloaded" } }))
  const { step } = await waiting()
  const lines = (await (await read(step.sessionId)).text()).trim().split("\n")
  expect(lines[1]).toBe('0:"So"')
  const error = JSON.parse(JSON.parse(lines[2]?.slice(2) ?? ""))
  expect(error).toEqual({ description: "The provider of the model refused" })
  expect(lines.at(-1)).toBe('d:{"finishReason":"error"}')
})

test("nothing can be read where no stream is waited for", async () => {
  const { step } = await chatOver(server, publicId, { isStreamEnabled: true })
  expect((await read(step.sessionId)).status).toBe(400)
  expect((await read("unknown")).status).toBe(404)
  expect((await read(step.sessionId, "v2", { method: "GET", body: null })).status).toBe(405)
})

test("nothing can be read without the account", async () => {
  const removed = await newCredential()
  const { publicId: id } = await publishBot(server, flow({ credentialsId: removed }))
  await server.send("DELETE", `/api/v1/credentials/${removed}`)
  const { step } = await waiting(id)
  expect((await read(step.sessionId)).status).toBe(404)
})

test("the provider is left when the client leaves", async () => {
  let left: () => void = () => {}
  const isLeft = new Promise<void>((resolve) => {
    left = resolve
  })
  provider.answers((response) => {
    response.on("close", left)
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(`data: ${JSON.stringify(delta("So"))}\n\n`)
  })
  const { step } = await waiting()
  const controller = new AbortController()
  const response = await read(step.sessionId, "v2", { signal: controller.signal })
  await response.body?.getReader().read()
  controller.abort()
  await isLeft
})

test("an address has no more streams open than the service allows", async () => {
  const full = tooManyRequests("openStreams", "Too many streams are open", 10)
  const release = vi.fn()
  const admit = vi.fn(() => release)
  const stream = vi.fn()
  const live = { admit, models: { stream }, stopping: new AbortController().signal }
  const settings = { publicUrl: "https://chat.example" }
  const services = { limits: new Map(), live, settings } as unknown as Services
  const endpoint = createStreamEndpoint(services)
  const ask = () => {
    const request = Object.assign(new PassThrough(), { method: "POST", headers: {}, socket: {} })
    const exchange = openExchange(request as never, new PassThrough() as never, {
      trustedProxies: 0,
      bodies: createBodyBudget(Number.POSITIVE_INFINITY),
      unread: createUnread(),
    })
    return endpoint.answer(exchange, ["", "session"] as unknown as RegExpExecArray)
  }
  await expect(ask()).rejects.toThrow()
  expect(release).toHaveBeenCalledOnce()
  admit.mockImplementation(() => {
    throw full
  })
  await expect(ask()).rejects.toBe(full)
  expect(stream).not.toHaveBeenCalled()
})
