/** Tests that failures of models are reported without secrets, and leave nothing running. */
import { Response } from "undici"
import { describe, expect, test } from "vitest"
import type { ModelProtocol } from "../../src/engine/calls.ts"
import { openLatch, until } from "../support/waiting.ts"
import { apiKey, ask, models, modelsOver, perform, provider, stream } from "./modelWorld.ts"
import { callContext, events, json } from "./peer.ts"

const counted = { usage: { input_tokens: 1, output_tokens: 1 } }

describe("what goes wrong", () => {
  test("reports the provider's message, without the key", async () => {
    const words = `Incorrect API key provided: ${apiKey}. Look it up.`
    provider.answers(json({ error: { message: words } }, 401))
    const outcome = await perform()
    expect(outcome).toEqual({
      failed: true,
      description: "The provider of the model refused with status 401",
      details: "Incorrect API key provided: ***. Look it up.",
      status: 401,
      reason: "credentials",
    })
  })

  test.each([
    [
      "text",
      (r: import("node:http").ServerResponse) => r.writeHead(200).end("<html>"),
      "The answer is no JSON",
    ],
    ["no message", json({}), "The answer does not have the form of this API"],
    ["too many values", json(Array(20_001).fill(1)), "The answer is too long"],
  ])("fails when the answer is %s", async (_, answer, details) => {
    provider.answers(answer)
    expect(await perform()).toMatchObject({ failed: true, details })
  })

  test.each([
    [
      "chatCompletions",
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      { choices: [{ message: { content: "Hi" } }] },
    ],
    [
      "responses",
      "Unsupported parameter: 'temperature' is not supported with this model.",
      { id: "r", output: [] },
    ],
    [
      "anthropicMessages",
      "`temperature` is deprecated for this model.",
      { type: "message", content: [] },
    ],
  ] as const)("asks %s without a temperature that the model refuses", async (protocol, message, answer) => {
    const refusal = json({ error: { message } }, 400)
    provider.answers(refusal, json({ ...answer, ...counted }))
    const parts = { protocol, temperature: 0.5 }
    expect(await perform(parts)).toHaveProperty("text")
    const asked = provider.received.map(({ json }) => json)
    expect(asked).toEqual([{ ...Object(asked[1]), temperature: 0.5 }, asked[1]])
    expect(asked[1]).not.toHaveProperty("temperature")
    provider.answers(refusal)
    expect(await perform(parts)).toMatchObject({ failed: true, details: message })
    expect(provider.received).toHaveLength(2)
  })

  test("does not ask again when the temperature is only out of range", async () => {
    const message = "Invalid 'temperature': decimal above maximum value."
    provider.answers(json({ error: { message } }, 400))
    expect(await perform({ temperature: 3 })).toMatchObject({ failed: true, details: message })
    expect(provider.received).toHaveLength(1)
  })

  const words = "Provider returned error"

  test.each([
    ["beside nothing", { error: { code: 502, message: words } }],
    ["as a text", { error: words }],
    ["as an object of its own", { object: "error", message: words, code: "3505" }],
    [
      "in a choice",
      {
        choices: [{ error: { message: words }, message: { content: "" }, finish_reason: "error" }],
      },
    ],
    ["in a response", { id: "r", status: "failed", error: { message: words }, output: [] }],
  ])("reports a provider's error with status 200, %s", async (_, answer) => {
    const protocol = "output" in answer ? "responses" : "chatCompletions"
    provider.answers(json(answer))
    expect(await perform({ protocol })).toMatchObject({ failed: true, details: words })
    if (protocol === "responses") return
    provider.answers(events(answer))
    expect((await stream()).outcome).toMatchObject({ failed: true, details: words })
  })

  const silence = (finish_reason: string) => ({
    choices: [{ message: { content: null }, delta: { content: "" }, finish_reason }],
  })
  const refusal = { type: "message", content: [], stop_reason: "refusal", ...counted }
  const cut = { id: "r", output: [], incomplete_details: { reason: "max_output_tokens" } }

  test.each([
    ["chatCompletions", silence("content_filter"), "The answer is withheld"],
    [
      "chatCompletions",
      silence("length"),
      "The longest answer allowed ended before the text began",
    ],
    ["anthropicMessages", refusal, "The answer is withheld"],
    ["responses", { ...cut, ...counted }, "The longest answer allowed ended before the text began"],
  ] as const)("fails when %s answer nothing, and says why", async (protocol, answer, details) => {
    provider.answers(json(answer))
    expect(await perform({ protocol })).toMatchObject({ failed: true, details })
    if (protocol !== "chatCompletions") return
    provider.answers(events(answer))
    expect((await stream()).outcome).toMatchObject({ failed: true, details })
  })

  test("keeps a text that was cut short", async () => {
    provider.answers(json({ choices: [{ message: { content: "So" }, finish_reason: "length" }] }))
    expect(await perform()).toEqual({ text: "So" })
  })

  test("fails without a credential, or with one that has no key", async () => {
    const missing = { failed: true, reason: "credentials" }
    expect(await perform({ credential: { id: "no", type: "openai" } })).toMatchObject(missing)
    expect(await perform({ credential: { id: "empty", type: "openai" } })).toMatchObject(missing)
    expect(provider.received).toHaveLength(0)
  })

  test("does not carry the key to where the provider points", async () => {
    provider.answers((response) => response.writeHead(307, { location: "/elsewhere" }).end())
    expect(await perform()).toMatchObject({ failed: true, status: 307 })
    expect(provider.received).toHaveLength(1)
  })

  test("gives up when the turn is over", async () => {
    provider.answers(() => {})
    const context = callContext({ signal: AbortSignal.timeout(50) })
    expect(await perform({}, context)).toMatchObject({ failed: true, reason: "timeout" })
    expect(await perform({ delayMs: 5_000 }, context)).toMatchObject({ reason: "timeout" })
  })

  test("ends the provider's answer when the reader leaves", async () => {
    let isClosed: () => void = () => {}
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve
    })
    provider.answers((response) => {
      response.on("close", isClosed)
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n')
    })
    for await (const _ of models.stream(ask(), callContext())) break
    await closed
  })

  test("fails without an address, and without a server", async () => {
    const nowhere = {
      failed: true,
      description: "The address of the model's provider is not valid",
    }
    expect(await perform({ baseUrl: "models.example" })).toEqual(nowhere)
    expect(await perform({ baseUrl: "http://127.0.0.1:2" })).toEqual({
      failed: true,
      description: "The provider of the model could not be reached",
      details: "Its host refuses connections (ECONNREFUSED)",
    })
  })

  test("does not disclose the library", async () => {
    provider.answers(json({}))
    await perform()
    expect(provider.received[0]?.headers["user-agent"]).not.toMatch(/sdk|node/i)
  })
})

const credentialFor = (protocol: ModelProtocol) =>
  protocol === "difyChat" ? { id: "dify", type: "dify-ai" } : { id: "ai", type: "openai" }
const say = (content: string) => ({ choices: [{ delta: { content } }] })
const call = (id: string) => ({
  choices: [{ delta: { tool_calls: [{ index: 0, id, function: { name: "f", arguments: "{" } }] } }],
})

describe("what goes wrong bit by bit", () => {
  test.each([
    ["no event", [], "The answer is no stream of events"],
    ["no JSON", [say("So"), "{no"], "The answer is no JSON"],
    ["another form", [say("So"), { choices: 1 }], "The answer does not have the form of this API"],
    ["too long an event", [say("a".repeat(2_000_001))], "The answer is too long"],
    ["too full an event", [say("So"), { choices: Array(2_001).fill(1) }], "The answer is too long"],
    [
      "too many calls",
      Array.from({ length: 600 }, (_, id) => call(`${id}`)),
      "The answer has too many parts",
    ],
  ])("fails at %s", async (_, data, details) => {
    provider.answers(events(...data))
    const description = "The provider of the model refused"
    expect((await stream()).outcome).toEqual({ failed: true, description, details })
  })

  test.each([
    "responses",
    "anthropicMessages",
    "difyChat",
  ] as const)("fails when %s answer with a page", async (protocol) => {
    provider.answers((response) => response.writeHead(200).end("<html>"))
    const credential = credentialFor(protocol)
    const description = "The provider of the model refused"
    const details = "The answer is no stream of events"
    const { outcome } = await stream({ protocol, credential })
    expect(outcome).toEqual({ failed: true, description, details })
  })

  test("fails when the connection breaks, after passing on earlier text", async () => {
    const heard = openLatch()
    provider.answers(async (response) => {
      response.writeHead(200)
      response.write(`data: ${JSON.stringify(say("So"))}\n\n`)
      await heard.isOpen
      response.destroy()
    })
    const { seen, outcome } = await stream({}, callContext(), heard.open)
    expect(seen).toEqual(["So"])
    const description = "The provider of the model could not be reached"
    expect(outcome).toEqual({
      failed: true,
      description,
      details: "It closed the connection (UND_ERR_SOCKET)",
    })
  })

  const created = { type: "response.created", response: { id: "r", created_at: 1, model: "m" } }
  const spoken = { type: "response.output_text.delta", item_id: "m", delta: "So" }
  const failed = (error?: object) => ({
    type: "response.failed",
    sequence_number: 1,
    response: { error },
  })
  const overloaded = { type: "overloaded_error", code: "overloaded", message: "overloaded" }
  const deltaOfUsage = { type: "message_delta", delta: {}, usage: { output_tokens: 1 } }

  test.each([
    ["responses", [created, { ...overloaded, type: "error", sequence_number: 1 }], "overloaded"],
    ["responses", [created, failed(overloaded)], "overloaded"],
    ["responses", [created, spoken, failed(overloaded)], "overloaded"],
    ["anthropicMessages", [{ type: "error", error: overloaded }], "overloaded"],
    ["anthropicMessages", [{ type: "ping" }, { type: "error", error: overloaded }], "overloaded"],
    ["anthropicMessages", Array(33).fill(deltaOfUsage), "The answer has too many parts"],
    ["difyChat", [{ event: "error", message: "overloaded" }], "overloaded"],
    ["difyChat", ["{no"], "The answer is no JSON"],
  ] as const)("takes what %s say of it, and leaves", async (protocol, data, details) => {
    let left: () => void = () => {}
    const isLeft = new Promise<void>((resolve) => {
      left = resolve
    })
    provider.answers((response) => {
      response.on("close", left)
      response.writeHead(200)
      for (const each of data) {
        response.write(`data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`)
      }
    })
    const credential = credentialFor(protocol)
    const { outcome } = await stream({ protocol, credential })
    const description = "The provider of the model refused"
    expect(outcome).toEqual({ failed: true, description, details })
    await isLeft
  })

  test("fails when the provider says that it failed, and no more", async () => {
    provider.answers(events(created, spoken, failed()))
    const { seen, outcome } = await stream({ protocol: "responses" })
    expect(seen).toEqual(["So"])
    expect(outcome).toMatchObject({ failed: true, details: "The answer broke off" })
  })

  const begun = {
    type: "message_start",
    message: {
      ...{ id: "m", type: "message", role: "assistant", model: "m", content: [] },
      ...counted,
    },
  }

  test.each([
    ["responses", created],
    ["anthropicMessages", begun],
    ["anthropicMessages", say("in another protocol")],
    ["difyChat", { event: "workflow_started", conversation_id: "d" }],
  ] as const)("fails when %s break off before the text begins", async (protocol, event) => {
    provider.answers(events(event))
    const { outcome } = await stream({ protocol, credential: credentialFor(protocol) })
    expect(outcome).toMatchObject({ failed: true, details: "The answer broke off" })
  })

  test("reads no further than its reader", async () => {
    let given = 0
    const endless = async function* () {
      for (;;) yield Buffer.from(`data: ${JSON.stringify(say(`${++given} `))}\n\n`)
    }
    const answer = modelsOver(async () => new Response(endless())).stream(ask(), callContext())
    for (let taken = 0; taken < 5; taken++) await answer.next()
    // By then everything in flight has been read, and no more is requested.
    let before = 0
    await until(() => {
      const isAtRest = given === before
      before = given
      return isAtRest
    })
    expect(given).toBeLessThan(40)
    await answer.return({ text: "" })
  })
})
