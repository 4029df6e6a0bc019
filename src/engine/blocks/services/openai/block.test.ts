/** OpenAI: every action. */
import { describe, expect, it } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { openaiBlock } from "./block.ts"
import type { OpenAiOptions, OpenaiBlock } from "./schema.ts"

const blockOf = (options: OpenAiOptions): OpenaiBlock =>
  openaiBlock.schema.parse({ id: "b", type: "openai", options: { credentialsId: "c", ...options } })

const run = (options: OpenAiOptions, parts: SceneParts = {}) =>
  openaiBlock.run(blockOf(options), testScene(parts))

describe("21.2 a chat completion", () => {
  const options: OpenAiOptions = {
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [
      { role: "system", content: "{{Unset}}" },
      { role: "Dialogue", dialogueVariableId: "vTalk" },
      { role: "user", content: '["https://p.test/a.png","https://p.test/b.png"]\n\nhttp is text' },
    ],
    tools: [
      {
        name: "weather",
        description: "Tells it",
        parameters: [
          { type: "string", name: "city" },
          { type: "enum", name: "unit", values: ["C", "F"], required: false },
        ],
        code: 'setVariable("W", city); return {{N}}',
      },
      { name: "no code" },
    ],
    responseMapping: [{ variableId: "vA" }, { item: "Prompt tokens", variableId: "vT" }],
  }
  const variables = { Talk: ["hi", null, "bye"], N: "5", A: undefined, W: undefined }

  it("21.3 drops empty messages, spells out dialogues, and offers tools with code", () => {
    expect(callOf(run(options, { variables }))).toEqual({
      kind: "model",
      protocol: "chatCompletions",
      credential: { id: "c", type: "openai" },
      baseUrl: "https://api.openai.com/v1",
      model: "gpt-4o",
      maxSteps: 6,
      messages: [
        { role: "user", content: "hi" },
        { role: "user", content: "bye" },
        {
          role: "user",
          content: [
            { url: "https://p.test/a.png" },
            { url: "https://p.test/b.png" },
            { text: "http is text" },
          ],
        },
      ],
      tools: [
        {
          name: "weather",
          description: "Tells it",
          parameters: {
            type: "object",
            properties: {
              city: { type: "string" },
              unit: { type: "string", enum: ["C", "F"] },
            },
            required: ["city"],
            additionalProperties: false,
          },
          script: {
            code: 'setVariable("W", city); return vN',
            globals: { vN: 5 },
            mode: "program",
          },
        },
      ],
    })
  })

  it("21.3 shows pictures only to models that see", () => {
    const sees = (model: string) => {
      const call = callOf(run({ ...options, model }, { variables }))
      return call?.kind === "model" && Array.isArray(call.messages.at(-1)?.content)
    }
    const seeing = ["gpt-5-mini", "gpt-6-luna", "gpt-10", "gpt-4.1-mini", "gpt-4o", "gpt-4-turbo"]
    expect([...seeing, "gpt-4-vision-preview"].filter((model) => !sees(model))).toEqual([])
    expect(["gpt-4", "gpt-4-turbo-preview", "gpt-3.5-turbo", "gpt-oss-20b"].filter(sees)).toEqual(
      [],
    )
  })

  it("21.22 offers the tools of MCP servers, as written, in both ways of asking", () => {
    const mcpServers = [
      { credentialsId: "m1", tools: ["find", "{{N}}"] },
      { credentialsId: "m2", tools: [] },
      { tools: ["no credential"] },
    ]
    const asked = [
      { credential: { id: "m1", type: "mcp" }, tools: ["find", "{{N}}"] },
      { credential: { id: "m2", type: "mcp" } },
    ]
    const ways = [options, { action: "Ask Model", model: "gpt-5", message: "Hi" }]
    for (const way of ways) {
      const call = callOf(run({ ...way, mcpServers }, { variables }))
      expect(call).toMatchObject({ mcpServers: asked })
    }
  })

  it("does not read values of variables as templates", () => {
    const secret = { Said: "{{Key}}", Key: "s3cret" }
    const call = callOf(
      run({ ...options, messages: [{ role: "user", content: "{{Said}}" }] }, { variables: secret }),
    )
    expect(call).toMatchObject({ messages: [{ role: "user", content: "{{Key}}" }] })
  })

  it("21.4 keeps text, tokens and values set by tools, and logs a failure", () => {
    const context = testScene({ variables })
    const answer = { text: "Sunny", usage: { prompt: 3 }, assigned: { W: "x", Nope: 1 } }
    expect(openaiBlock.resume.model(blockOf(options), answer, context)).toEqual({
      set: [
        { variableId: "vA", value: "Sunny" },
        { variableId: "vT", value: "3" },
        { variableId: "vW", value: "x" },
      ],
    })
    const failure = { failed: true as const, description: "Overloaded" }
    expect(openaiBlock.resume.model(blockOf(options), failure, context)).toEqual({
      log: [{ status: "error", description: "Overloaded", context: "While asking OpenAI" }],
    })
  })

  it("21.1 needs an account, a model and messages", () => {
    const description = (given: OpenAiOptions) => run(given).log?.[0]?.description
    expect(description({ ...options, credentialsId: "" })).toBe("openai has no account to use")
    expect(description({ ...options, model: "" })).toBe("No model is given")
    expect(description({ ...options, messages: [] })).toBe("No messages are given")
    expect(description({ action: "Fly" })).toBe("openai is not configured")
  })

  it("10.9 is streamed when the next bubble begins with its text", () => {
    const parts = { chat: { isStreamEnabled: true }, nextSpoken: "vA", variables }
    const block = blockOf(options)
    expect(openaiBlock.run(block, testScene(parts))).toEqual({
      act: [{ type: "stream", stream: true }],
      next: "waitForClient",
    })
    expect(callOf(run(options, { ...parts, nextSpoken: "vOther" }))?.kind).toBe("model")
    expect(openaiBlock.stream?.(block, testScene(parts))).toEqual(
      callOf(run(options, { variables })),
    )
    expect(openaiBlock.receive?.(block, '["a"]', testScene(parts))).toEqual({
      set: [{ variableId: "vA", value: ["a"] }],
      skipsNextBubble: true,
    })
    const answer = { text: "Sunny", usage: { prompt: 3 } }
    expect(openaiBlock.streamed?.(block, answer, testScene(parts))).toEqual({
      set: [{ variableId: "vT", value: "3" }],
    })
  })
})

describe("21.6 asking a model", () => {
  const options: OpenAiOptions = {
    action: "Ask Model",
    model: "gpt-5",
    message: "Hi {{N}}",
    instructions: "Be brief",
    responseIdVariableId: "vR",
    fileSearchVectorStoreIds: ["vs1"],
    fileSearchMaxNumResults: "{{Max}}",
    webSearchEnabled: true,
    responseMapping: [{ variableId: "vA" }],
  }
  const variables = { N: "Ann", R: "resp_1", Max: "5", A: undefined }

  it("continues from the last response", () => {
    expect(callOf(run(options, { variables }))).toEqual({
      kind: "model",
      protocol: "responses",
      credential: { id: "c", type: "openai" },
      baseUrl: "https://api.openai.com/v1",
      model: "gpt-5",
      messages: [
        { role: "system", content: "Be brief" },
        { role: "user", content: "Hi Ann" },
      ],
      conversationId: "resp_1",
      hosted: { fileSearch: { vectorStoreIds: ["vs1"], maxResults: 5 }, webSearch: true },
      maxSteps: 10,
    })
  })

  it("keeps the new response id where it is mapped, else in its variable", () => {
    const answer = { text: "Hello", conversationId: "resp_2" }
    const setOf = (given: OpenAiOptions) =>
      openaiBlock.resume.model(blockOf(given), answer, testScene({ variables })).set
    expect(setOf(options)).toEqual([
      { variableId: "vA", value: "Hello" },
      { variableId: "vR", value: "resp_2" },
    ])
    const responseMapping = [{ item: "Response ID", variableId: "vX" }]
    expect(setOf({ ...options, responseMapping })).toEqual([{ variableId: "vX", value: "resp_2" }])
  })
})

describe("21.7 asking an assistant", () => {
  const block = blockOf({
    action: "Ask Assistant",
    assistantId: "asst",
    message: "Hi",
    threadVariableId: "vThread",
    functions: [{ name: "look", code: "return q + {{N}}" }],
    responseMapping: [{ variableId: "vA" }],
  })
  const sceneWith = (carry?: unknown, thread?: string) => ({
    ...testScene({ variables: { Thread: thread, A: undefined, N: "1" } }),
    carry,
  })
  const urlOf = (step: Parameters<typeof callOf>[0]) => {
    const call = callOf(step)
    return call?.kind === "http" ? JSON.stringify(call.request.url) : undefined
  }
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

  it("opens a thread unless one is known, then runs in it", () => {
    expect(urlOf(openaiBlock.run(block, sceneWith()))).toContain('"/threads"')
    const step = openaiBlock.resume.http(block, { status: 200, text: '{"id":"th"}' }, sceneWith())
    expect(urlOf(step)).toContain("/threads/th/runs")
    expect(urlOf(openaiBlock.run(block, sceneWith(undefined, "old")))).toContain(
      "/threads/old/runs",
    )
  })

  it("runs functions, returns their results, and keeps the messages without citations", () => {
    const carry = { threadId: "th", round: 0, said: [] }
    const tool_calls = [{ id: "c1", function: { name: "look", arguments: '{"q":"x"}' } }]
    const required_action = { submit_tool_outputs: { tool_calls } }
    const text = event("thread.run.requires_action", { id: "run", required_action })
    const asked = callOf(openaiBlock.resume.http(block, { status: 200, text }, sceneWith(carry)))
    expect(asked).toMatchObject({
      kind: "script",
      scripts: [{ code: "return q + vN", globals: { vN: 1, q: "x" } }],
    })
    const results = [{ value: { ok: true } }]
    const submitted = openaiBlock.resume.script(block, { results }, sceneWith(asked?.carry))
    expect(urlOf(submitted)).toContain("/threads/th/runs/run/submit_tool_outputs")
    expect(JSON.stringify(callOf(submitted))).toContain("c1")
    const said = event("thread.message.completed", {
      content: [{ type: "text", text: { value: "Done【4:0†source】." } }],
    })
    const after = sceneWith(callOf(submitted)?.carry)
    expect(openaiBlock.resume.http(block, { status: 200, text: said }, after).set).toEqual([
      { variableId: "vA", value: "Done." },
      { variableId: "vThread", value: "th" },
    ])
  })

  it("lets no argument shadow a variable that a function mentions", () => {
    const carry = { threadId: "th", round: 0, said: [] }
    const tool_calls = [{ id: "c1", function: { name: "look", arguments: '{"q":"x","vN":2}' } }]
    const required_action = { submit_tool_outputs: { tool_calls } }
    const text = event("thread.run.requires_action", { id: "run", required_action })
    const asked = callOf(openaiBlock.resume.http(block, { status: 200, text }, sceneWith(carry)))
    expect(asked).toMatchObject({ scripts: [{ globals: { vN: 1, q: "x" } }] })
  })

  it("takes the id of a thread as one segment of the address", () => {
    const step = openaiBlock.run(block, sceneWith(undefined, "th/../../assistants/asst?"))
    expect(urlOf(step)).toContain("/threads/th%2F..%2F..%2Fassistants%2Fasst%3F/runs")
  })

  it.each([
    ["a page", "<html>"],
    ["a run in progress", event("thread.run.in_progress", { id: "run" })],
  ])("logs %s instead of an answer, and keeps the thread", (_, text) => {
    const carry = { threadId: "th", round: 0, said: [] }
    const step = openaiBlock.resume.http(block, { status: 200, text }, sceneWith(carry))
    expect(step.log?.[0]?.description).toBe("The answer of the assistant broke off")
    expect(step.set).toEqual([{ variableId: "vThread", value: "th" }])
    const done = event("thread.run.completed", { id: "run" })
    const silent = openaiBlock.resume.http(block, { status: 200, text: done }, sceneWith(carry))
    expect(silent.log).toBeUndefined()
  })

  it("logs a run that failed and keeps the thread", () => {
    const text = event("thread.run.failed", { last_error: { message: "quota" } })
    const carry = { threadId: "th", round: 0, said: [] }
    const step = openaiBlock.resume.http(block, { status: 200, text }, sceneWith(carry))
    expect(step.log?.[0]?.description).toBe("The assistant failed: quota")
    expect(step.set).toEqual([{ variableId: "vThread", value: "th" }])
  })
})

describe("21.8 speech and transcriptions", () => {
  it("keeps speech as a file", () => {
    const options: OpenAiOptions = {
      action: "Create speech",
      input: "Hi",
      voice: "nova",
      saveUrlInVariableId: "vA",
    }
    const call = callOf(run(options))
    expect(call).toMatchObject({
      kind: "http",
      savesFile: { contentType: "audio/mpeg", extension: "mp3" },
    })
    expect(JSON.stringify(call)).toContain("tts-1")
    const answer = { status: 200, text: "", fileUrl: "https://f.test/a.mp3" }
    expect(openaiBlock.resume.http(blockOf(options), answer, testScene()).set).toEqual([
      { variableId: "vA", value: "https://f.test/a.mp3" },
    ])
    expect(run({ ...options, input: "" }).log?.[0]?.status).toBe("error")
  })

  it("sends a recording along and keeps its words", () => {
    const options: OpenAiOptions = {
      action: "Create transcription",
      url: "https://f.test/a.mp3",
      transcriptionVariableId: "vA",
    }
    const call = callOf(run(options))
    expect(call?.kind === "http" ? call.request.body : undefined).toEqual({
      multipart: [
        ["model", "whisper-1"],
        ["response_format", "json"],
      ],
      file: { name: "file", url: "https://f.test/a.mp3" },
    })
    const answer = { status: 200, text: '{"text":"hello"}' }
    expect(openaiBlock.resume.http(blockOf(options), answer, testScene()).set).toEqual([
      { variableId: "vA", value: "hello" },
    ])
  })
})
