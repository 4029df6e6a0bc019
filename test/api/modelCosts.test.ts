/** What models cost: traces, metrics and spans have the tokens of every call of a model. */
import { type Attributes, trace } from "@opentelemetry/api"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { type Answer, events, json, startPeer } from "../effects/peer.ts"
import { ageResults } from "../support/ageResults.ts"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { recordSpans } from "../support/spans.ts"
import { until } from "../support/waiting.ts"

const provider = await startPeer()
beforeEach(() => provider.answers())

const apiKey = "sk-top-secret-0123456789"
const allowed = { PARLEY_ALLOW_HOSTS: "127.0.0.1" }
const databaseUrl = await testDatabaseUrl()
const server = await testServer({ ...allowed, DATABASE_URL: databaseUrl })
const db = await openDatabase({ url: databaseUrl, poolSize: 2 })

type Server = typeof server

async function newCredential(on: Server = server, type = "openai") {
  const { body } = await on.send("GET", "/api/v1/workspaces")
  const [workspace] = body.workspaces as { id: string }[]
  const data = { apiKey, baseUrl: `${provider.url}/v1` }
  const credentials = { type, name: "AI", data }
  const made = await on.send("POST", "/api/v1/credentials", {
    body: { workspaceId: workspace?.id, credentials },
  })
  return String(made.body.credentialsId)
}
const credentialsId = await newCredential()

const completion = (options: object = {}, id = "model") =>
  block(
    "openai",
    {
      credentialsId,
      action: "Create chat completion",
      model: "gpt-4o",
      messages: [{ role: "user", content: "I am {{Name}}" }],
      responseMapping: [{ item: "Message content", variableId: idOf("Reply") }],
      ...options,
    },
    { id },
  )

const flowWith = (model: object) =>
  bot(group("A", ask.text({ saves: "Name" }), model as never, say("{{Reply}}"), ask.text()))

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
})
const said = (content: string, counts: object = usage(12, 5)): Answer =>
  json({ choices: [{ message: { content } }], ...counts })
const calling = json({
  choices: [
    {
      message: {
        tool_calls: [{ id: "c", type: "function", function: { name: "age", arguments: "{}" } }],
      },
    },
  ],
  ...usage(30, 7),
})
const tools = [{ type: "function", name: "age", code: "return 7" }]

/** Talks to a bot with this block. Returns the calls of models in the trace of its result. */
async function callsOf(model: object, read?: (sessionId: string) => Promise<unknown>) {
  const { publicId, botId } = await publishBot(server, flowWith(model))
  const chat = await chatOver(server, publicId, read && { isStreamEnabled: true })
  await chat.say("Ann")
  await read?.(chat.step.sessionId)
  const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}`
  const { body } = await server.send("GET", `${path}/trace`)
  return (body.turns as { calls: object[] }[]).flatMap(({ calls }) => calls)
}

const readStream = (sessionId: string) =>
  fetch(`${server.address}/api/v1/sessions/${sessionId}/streamMessage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  }).then((response) => response.text())

const call = (parts: object) => ({
  blockId: "model",
  kind: "model",
  status: "done",
  ms: expect.any(Number),
  provider: "other",
  model: "gpt-4o",
  ...parts,
})

describe("11.4 traces", () => {
  test("have model, provider and tokens of a call, those of all steps together", async () => {
    provider.answers(calling, said("You are seven"))
    expect(await callsOf(completion({ tools }))).toEqual([
      call({ inputTokens: 42, outputTokens: 12 }),
    ])
  })

  test("have the tokens of the steps before a failure", async () => {
    provider.answers(calling, json({ error: { message: "Down" } }, 500))
    expect(await callsOf(completion({ tools }))).toEqual([
      call({ status: "failed", inputTokens: 30, outputTokens: 7 }),
    ])
  })

  test("have the tokens of an answer that cannot be used", async () => {
    const empty = { choices: [{ message: { content: "" }, finish_reason: "length" }] }
    provider.answers(json({ ...empty, ...usage(12, 900) }))
    expect(await callsOf(completion())).toEqual([
      call({ status: "failed", inputTokens: 12, outputTokens: 900 }),
    ])
  })

  test("have no tokens where the provider reports none, and no model whose name reads as a sentence", async () => {
    provider.answers(said("Hi", {}))
    const { model: _, ...unnamed } = call({})
    expect(await callsOf(completion({ model: "I am {{Name}}" }))).toEqual([unnamed])
  })

  test("have streamed answers, also of blocks that keep nothing else of them", async () => {
    const delta = (content: string) => ({ choices: [{ delta: { content } }] })
    provider.answers(events(delta("Hi "), delta("Ann"), { choices: [], ...usage(9, 2) }, "[DONE]"))
    expect(await callsOf(completion(), readStream)).toEqual([
      call({ inputTokens: 9, outputTokens: 2 }),
    ])
  })

  test("have calls of old OpenAI blocks", async () => {
    provider.answers(said("Hi"))
    const old = block(
      "OpenAI",
      {
        credentialsId,
        baseUrl: `${provider.url}/v1`,
        task: "Create chat completion",
        model: "gpt-4o",
        messages: [{ id: "m", role: "user", content: "Hi" }],
      },
      { id: "model" },
    )
    expect(await callsOf(old)).toEqual([call({ inputTokens: 12, outputTokens: 5 })])
  })

  test("have all calls of models, whatever else the turn called", async () => {
    provider.answers(said("Hi"))
    const hooks = Array.from({ length: 45 }, (_, index) =>
      block("Webhook", { webhook: { url: provider.url } }, { id: `${index}-${"x".repeat(50)}` }),
    )
    const { publicId, botId } = await publishBot(
      server,
      bot(group("A", ask.text({ saves: "Name" }), ...hooks, completion(), ask.text())),
    )
    const chat = await chatOver(server, publicId)
    await chat.say("Ann")
    const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}/trace`
    const { body } = await server.send("GET", path)
    const [, turn] = body.turns as { calls: object[]; isCut: boolean }[]
    expect(turn?.isCut).toBe(true)
    expect(turn?.calls.at(-1)).toEqual(call({ inputTokens: 12, outputTokens: 5 }))
  })
})

test("metrics have tokens and times by provider, and no name of an author", async () => {
  const own = await testServer(allowed)
  provider.answers(said("Hi"))
  const id = await newCredential(own)
  const { publicId } = await publishBot(own, flowWith(completion({ credentialsId: id })))
  await (await chatOver(own, publicId)).say("Ann")
  const metrics = await fetch(`${own.address}/metrics`).then((response) => response.text())
  expect(metrics).toContain('parley_model_tokens_total{provider="other",direction="input"} 12')
  expect(metrics).toContain('parley_model_tokens_total{provider="other",direction="output"} 5')
  expect(metrics).toContain('parley_model_duration_seconds_count{provider="other"} 1')
  expect(metrics).not.toContain("gpt-4o")
})

describe("results and analytics", () => {
  const tokens = (calls: number, inputTokens: number, outputTokens: number) => ({
    calls,
    inputTokens,
    outputTokens,
  })

  test("11.4 a result and its export have what it used by model, and lists have nothing of it", async () => {
    provider.answers(said("Hi"), said("Bye", usage(20, 6)), said("Again", usage(1, 1)))
    const models = [completion(), completion({ model: "gpt-5" }, "other"), completion({}, "third")]
    const flow = bot(group("A", ask.text({ saves: "Name" }), ...models, ask.text()))
    const { publicId, botId } = await publishBot(server, flow)
    const chat = await chatOver(server, publicId)
    await chat.say("Ann")
    const results = `/api/v1/bots/${botId}/results`
    const { body } = await server.send("GET", `${results}/${chat.step.resultId}`)
    const expected = {
      ...tokens(3, 33, 12),
      byModel: [
        { provider: "other", model: "gpt-4o", ...tokens(2, 13, 6) },
        { provider: "other", model: "gpt-5", ...tokens(1, 20, 6) },
      ],
    }
    expect(body.result).toMatchObject({ usage: expected })
    const list = await server.send("GET", results)
    expect(JSON.stringify(list.body)).not.toContain("gpt-5")
    const exported = await fetch(
      `${server.address}${results}/export?format=ndjson&timeFilter=allTime`,
      {
        headers: { authorization: `Bearer ${server.token}` },
      },
    ).then((response) => response.text())
    expect(JSON.parse(exported)).toMatchObject({ usage: expected })
  })

  test("11.6 analytics have tokens by day and block, the same when days are counted ahead", async () => {
    provider.answers(said("Hi"))
    const { publicId, botId } = await publishBot(server, flowWith(completion()))
    for (const name of ["Ann", "Ben"]) await (await chatOver(server, publicId)).say(name)
    const analytics = async () => {
      const path = `/api/v1/bots/${botId}/analytics?timeFilter=allTime`
      const { totals, byDay, models } = (await server.send("GET", path)).body
      return { totals, byDay: (byDay as object[]).map((day) => ({ ...day, day: "" })), models }
    }
    const counted = {
      totals: expect.objectContaining({ modelCalls: 2, inputTokens: 24, outputTokens: 10 }),
      byDay: [{ day: "", starts: 2, completions: 0, inputTokens: 24, outputTokens: 10 }],
      models: [{ blockId: "model", ...tokens(2, 24, 10) }],
    }
    expect(await analytics()).toEqual(counted)
    await ageResults(db, botId, 2)
    await runJob(db, "count_analytics")
    await db.pool.query("update result_steps set trace = null")
    expect(await analytics()).toEqual(counted)
    // As 0.2.0 has counted it.
    const parts = ["modelCalls", "inputTokens", "outputTokens", "inputTokensAt", "outputTokensAt"]
    await db.pool.query("update analytics_counts set counts = counts - $1::text[]", [parts])
    expect(await analytics()).toEqual({
      totals: expect.objectContaining({ starts: 2, modelCalls: 0, inputTokens: 0 }),
      byDay: [{ day: "", starts: 2, completions: 0, inputTokens: 0, outputTokens: 0 }],
      models: [],
    })
  })

  test("the usage of a workspace has the tokens of its month, previews included", async () => {
    const own = await testServer({ ...allowed, DATABASE_URL: await testDatabaseUrl() })
    const id = await newCredential(own)
    provider.answers(said("Hi"))
    const flow = flowWith(completion({ credentialsId: id }))
    const { publicId, botId } = await publishBot(own, flow)
    await (await chatOver(own, publicId)).say("Ann")
    const start = `/api/v1/bots/${botId}/preview/startChat`
    const { body } = await own.send("POST", start, { body: {} })
    const path = `/api/v1/sessions/${body.sessionId}/continueChat`
    await own.send("POST", path, { body: { message: "Ann" } })
    const { body: listed } = await own.send("GET", "/api/v1/workspaces")
    const [workspace] = listed.workspaces as { id: string }[]
    await until(async () => {
      const path = `/api/v1/billing/usage?workspaceId=${workspace?.id}`
      const { inputTokens, outputTokens } = (await own.send("GET", path)).body
      return inputTokens === 24 && outputTokens === 10
    })
  })
})

describe("spans", () => {
  afterEach(() => trace.disable())

  /** The attributes of the spans of calls, in a chat with answers and with a stream. */
  async function spansOf(settings: Record<string, string>): Promise<Attributes[]> {
    const own = await testServer({ ...allowed, ...settings })
    const id = await newCredential(own)
    const { publicId } = await publishBot(own, flowWith(completion({ credentialsId: id })))
    const ended = recordSpans()
    provider.answers(said("Hi Ann"))
    await (await chatOver(own, publicId)).say("Ann")
    provider.answers(json({ error: { message: apiKey } }, 500))
    await (await chatOver(own, publicId)).say("x".repeat(20_000))
    return ended.filter(({ name }) => name === "call model").map(({ attributes }) => attributes)
  }

  test("have the attributes of OpenTelemetry's conventions, and nothing that people said", async () => {
    const [first, failed] = await spansOf({})
    expect(first).toEqual({
      "parley.outcome": "ok",
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "other",
      "gen_ai.request.model": "gpt-4o",
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 5,
    })
    expect(failed).toMatchObject({ "parley.outcome": "failed", "error.type": "_OTHER" })
    expect(JSON.stringify([first, failed])).not.toContain("Ann")
  })

  test("have questions and answers on request, cut, and never the key", async () => {
    const spans = await spansOf({ PARLEY_OTEL_GENAI_CONTENT: "on" })
    const [first, failed] = spans.map((attributes) => ({
      input: JSON.parse(String(attributes["gen_ai.input.messages"])),
      output: attributes["gen_ai.output.messages"],
    }))
    const part = (content: string) => [{ type: "text", content }]
    expect(first?.input).toEqual([{ role: "user", parts: part("I am Ann") }])
    expect(JSON.parse(String(first?.output))).toEqual([
      { role: "assistant", parts: part("Hi Ann"), finish_reason: "stop" },
    ])
    expect(failed?.input[0].parts[0].content).toHaveLength(10_000)
    expect(failed?.output).toBeUndefined()
    expect(JSON.stringify(spans)).not.toContain(apiKey)
  })
})
