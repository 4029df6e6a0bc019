/** Tests chat completions: whole and streamed, with pictures and the author's functions. */
import { Response } from "undici"
import { describe, expect, test } from "vitest"
import { pick } from "../../src/lib/foreignJson.ts"
import {
  apiKey,
  ask,
  modelsOver,
  perform,
  picture,
  provider,
  stream,
  weather,
} from "./modelWorld.ts"
import { callContext, events, json } from "./peer.ts"

const said = (content: string, more: object = {}) =>
  json({
    choices: [{ message: { role: "assistant", content, ...more } }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  })

const called = {
  tool_calls: [
    { id: "t1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
  ],
}

describe("chat completions", () => {
  test("asks and takes the answer with its tokens", async () => {
    provider.answers(said("Hi"))
    expect(await perform({ temperature: 0.5, maxTokens: 9 })).toEqual({
      text: "Hi",
      usage: { total: 7, prompt: 3, completion: 4 },
    })
    const [request] = provider.received
    expect(request).toMatchObject({ method: "POST", path: "/v1/chat/completions" })
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`)
    expect(request?.json).toEqual({
      model: "m-1",
      temperature: 0.5,
      max_tokens: 9,
      messages: [
        { role: "system", content: "Be brief" },
        { role: "user", content: "Hello" },
      ],
    })
  })

  test.each([
    ["https://api.openai.com/v1", { max_completion_tokens: 9, stream_options: expect.anything() }],
    ["https://api.mistral.ai/v1", { max_tokens: 9 }],
    ["https://api.groq.com/v1", { max_tokens: 9, stream_options: { include_usage: true } }],
  ])("sends %s only options that it supports", async (baseUrl, members) => {
    const sent: unknown[] = []
    const models = modelsOver(async (_, init) => {
      sent.push(JSON.parse(String(init?.body)))
      return new Response("data: [DONE]")
    })
    const answer = models.stream(ask({ baseUrl, maxTokens: 9, messages: [] }), callContext())
    while (!(await answer.next()).done);
    expect(sent).toEqual([{ model: "m-1", messages: [], stream: true, ...members }])
  })

  test("names who speaks", async () => {
    provider.answers(said("Hi"))
    await perform({ messages: [{ role: "user", content: "Hello", name: "Ann" }] })
    expect(provider.received[0]?.json).toMatchObject({
      messages: [{ role: "user", content: "Hello", name: "Ann" }],
    })
  })

  test("asks at the address of the credential, without a slash too many", async () => {
    provider.answers(said("Hi"))
    await perform({ credential: { id: "moved", type: "openai" } })
    expect(provider.received[0]?.path).toBe("/own/chat/completions")
  })

  test("names version and key the way Azure wants them", async () => {
    provider.answers(said("Hi"))
    await perform({ apiVersion: "2024-02-01" })
    expect(provider.received[0]).toMatchObject({
      path: "/v1/chat/completions?api-version=2024-02-01",
      headers: { "api-key": apiKey },
    })
  })

  test("runs the author's functions and sums up the tokens", async () => {
    provider.answers(said("", called), said("Sunny in Oslo"))
    expect(await perform({ tools: [weather] })).toEqual({
      text: "Sunny in Oslo",
      usage: { total: 14, prompt: 6, completion: 8 },
      assigned: { Seen: "Oslo" },
    })
    expect(provider.received[0]?.json).toMatchObject({
      tools: [{ type: "function", function: { name: "weather", parameters: weather.parameters } }],
    })
    const { messages } = provider.received[1]?.json as { messages: object[] }
    expect(messages.slice(2)).toEqual([
      { role: "assistant", content: null, tool_calls: called.tool_calls },
      { role: "tool", tool_call_id: "t1", content: '{"sunny":true,"city":"Oslo"}' },
    ])
  })

  test("lets no argument take the place of a variable that a function mentions", async () => {
    const call = { name: "refund", arguments: '{"sum":"5","vUser":"somebody else"}' }
    const calling = { tool_calls: [{ id: "t1", type: "function", function: call }] }
    provider.answers(said("", calling), said("Done"))
    const code = "return sum + ' for ' + vUser"
    const script = { code, globals: { vUser: "Ann" }, mode: "program" } as const
    await perform({ tools: [{ name: "refund", parameters: { type: "object" }, script }] })
    expect(pick(provider.received[1]?.json, "messages", 3, "content")).toBe("5 for Ann")
  })

  test.each([
    ["https://api.deepseek.com/v1", { reasoning_content: "Look it up" }],
    ["https://api.groq.com/v1", {}],
  ])("reminds a model at %s of what it thought only where that is needed", async (baseUrl, thought) => {
    const message = { role: "assistant", content: "", reasoning_content: "Look it up", ...called }
    const sent: unknown[] = []
    const models = modelsOver(async (_, init) => {
      sent.push(JSON.parse(String(init?.body)))
      return Response.json({
        choices: [{ message: sent.length > 1 ? { content: "Sunny" } : message }],
      })
    })
    const call = ask({
      baseUrl,
      tools: [weather],
      messages: [{ role: "user", content: "Weather?" }],
    })
    expect(await models.performer(call, callContext())).toMatchObject({ text: "Sunny" })
    expect(sent[1]).toMatchObject({
      messages: [{ role: "user" }, expect.anything(), { role: "tool" }],
    })
    expect(pick(sent[1], "messages", 1)).toEqual({
      role: "assistant",
      content: null,
      tool_calls: called.tool_calls,
      ...thought,
    })
  })

  test("asks a model not to think that calls functions only then", async () => {
    const words =
      "Function tools with reasoning_effort are not supported for gpt-6-sol in /v1/chat/completions. " +
      "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
    const refusal = json({ error: { message: words } }, 400)
    provider.answers(refusal, said("", called), said("Sunny"))
    expect(await perform({ tools: [weather] })).toMatchObject({ text: "Sunny" })
    const efforts = provider.received.map(({ json }) => pick(json, "reasoning_effort"))
    expect(efforts).toEqual([undefined, "none", "none"])
    provider.answers(refusal)
    expect(await perform({ tools: [weather] })).toMatchObject({ failed: true, details: words })
    expect(provider.received).toHaveLength(2)
  })

  test("stops after the last step although the model keeps calling", async () => {
    provider.answers(said("Wait", called))
    expect(await perform({ tools: [weather], maxSteps: 2 })).toMatchObject({ text: "Wait" })
    expect(provider.received).toHaveLength(2)
  })

  test.each([
    ["unknown", "{}", "There is no function of this name"],
    ["weather", "{not json", "The arguments are no JSON object"],
    ["weather", '["Rome"]', "The arguments are no JSON object"],
    ["broken", "{}", "The function failed: Error: no luck"],
  ])("reports an invalid call of %s(%s) to the model", async (name, args, words) => {
    const call = { id: "t1", type: "function", function: { name, arguments: args } }
    provider.answers(said("", { tool_calls: [call] }), said("Sorry"))
    const broken = {
      ...weather,
      name: "broken",
      script: { ...weather.script, code: 'throw new Error("no luck")' },
    }
    expect(await perform({ tools: [weather, broken] })).toMatchObject({ text: "Sorry" })
    const { messages } = provider.received[1]?.json as { messages: { content: string }[] }
    expect(messages.at(-1)?.content).toBe(words)
  })

  test.each([
    ["as they are", { city: "Oslo" }, "Oslo"],
    ["not at all", undefined, undefined],
  ])("takes arguments that are written %s", async (_, args, seen) => {
    const call = { id: "t1", function: { name: "weather", arguments: args } }
    provider.answers(said("", { tool_calls: [call] }), said("Fine"))
    const code = 'setVariable("Seen", typeof city === "string" ? city : null)'
    const tool = { ...weather, script: { ...weather.script, code } }
    expect(await perform({ tools: [tool] })).toMatchObject({
      text: "Fine",
      assigned: { Seen: seen ?? null },
    })
  })

  test("asks for values of a schema", async () => {
    provider.answers(said('{"a":1}'))
    const answerSchema = { type: "object", properties: { a: { type: "number" } } }
    expect(await perform({ answerSchema })).toMatchObject({ text: '{"a":1}' })
    expect(provider.received[0]?.json).toMatchObject({
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", schema: answerSchema, strict: true },
      },
    })
  })

  test("shows pictures by their bytes, and leaves other addresses as text", async () => {
    provider.answers(said("A cat"))
    const content = [
      { text: "Look" },
      { url: "https://e.com/page" },
      { url: "https://e.com/cat.png" },
      { text: "What is it?" },
    ]
    await perform({ messages: [{ role: "user", content }] })
    const { messages } = provider.received[0]?.json as { messages: object[] }
    expect(messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look\n\nhttps://e.com/page" },
          {
            type: "image_url",
            image_url: { url: `data:image/png;base64,${picture.toString("base64")}` },
          },
          { type: "text", text: "What is it?" },
        ],
      },
    ])
  })

  test.each([
    [60, 10, 50],
    [7, 4_000_000, 5],
  ])("of %i pictures of %i bytes in a question, shows the latest %i", async (count, bytes, most) => {
    provider.answers(said("Cats"))
    const urls = Array.from({ length: count }, (_, index) => `https://e.com/${index}/${bytes}.png`)
    const messages = urls.map((url) => ({ role: "user" as const, content: [{ url }] }))
    await perform({ messages })
    const sent = provider.received[0]?.json as { messages: object[] }
    const shown = sent.messages.map((message) => JSON.stringify(message).includes("image_url"))
    expect(shown).toEqual(urls.map((_, index) => index >= count - most))
    expect(JSON.stringify(sent.messages[0])).toContain(urls[0])
  })

  test("streams texts as they come, functions in between", async () => {
    const delta = (content: string) => ({ choices: [{ delta: { content } }] })
    const part = (index: number, call: object) => ({
      choices: [{ delta: { tool_calls: [{ index, ...call }] } }],
    })
    provider.answers(
      events(
        part(0, { id: "t1", function: { name: "weather", arguments: "" } }),
        part(0, { function: { arguments: '{"city":' } }),
        part(0, { function: { arguments: '"Rome"}' } }),
        "[DONE]",
      ),
      events(
        delta("Sun"),
        delta("ny"),
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
        "[DONE]",
      ),
    )
    const { seen, outcome } = await stream({ tools: [weather] })
    expect(seen).toEqual(["Sun", "ny"])
    expect(provider.received).toHaveLength(2)
    expect(outcome).toEqual({
      text: "Sunny",
      usage: { total: 3, prompt: 1, completion: 2 },
      assigned: { Seen: "Rome" },
    })
    expect(provider.received[0]?.json).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test("ends a broken stream with the provider's message", async () => {
    const delta = { choices: [{ delta: { content: "So" } }] }
    provider.answers(events(delta, { error: { message: "overloaded" } }))
    const { seen, outcome } = await stream()
    expect(seen).toEqual(["So"])
    expect(outcome).toMatchObject({ failed: true, details: "overloaded" })
  })
})
