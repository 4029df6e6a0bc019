/** Tests providers that keep the conversation: OpenAI Responses and Dify. */
import { describe, expect, test } from "vitest"
import { perform, provider, stream, weather } from "./modelWorld.ts"
import { events, json } from "./peer.ts"

describe("OpenAI responses", () => {
  const protocol = "responses" as const
  const message = (text: string) => ({
    ...{ type: "message", id: "m1", role: "assistant" },
    content: [{ type: "output_text", text, annotations: [] }],
  })
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }

  test("continues a response, with the provider's own tools", async () => {
    provider.answers(json({ id: "r2", output: [message("Hi")], usage }))
    const hosted = {
      fileSearch: { vectorStoreIds: ["vs"], maxResults: 4, scoreThreshold: 0.5 },
      webSearch: true,
      codeInterpreter: true,
    }
    expect(await perform({ protocol, conversationId: "r1", hosted })).toEqual({
      text: "Hi",
      conversationId: "r2",
      usage: { total: 3, prompt: 1, completion: 2 },
    })
    expect(provider.received[0]).toMatchObject({ path: "/v1/responses" })
    expect(provider.received[0]?.json).toEqual({
      model: "m-1",
      instructions: "Be brief",
      input: [{ role: "user", content: [{ type: "input_text", text: "Hello" }] }],
      previous_response_id: "r1",
      tools: [
        {
          type: "file_search",
          vector_store_ids: ["vs"],
          max_num_results: 4,
          ranking_options: { score_threshold: 0.5 },
        },
        { type: "web_search" },
        { type: "code_interpreter", container: { type: "auto" } },
      ],
      include: ["web_search_call.action.sources", "code_interpreter_call.outputs"],
    })
  })

  test("runs the author's functions and continues the response that called them", async () => {
    const call = {
      type: "function_call",
      id: "f1",
      call_id: "c1",
      name: "weather",
      arguments: '{"city":"Oslo"}',
    }
    provider.answers(
      json({ id: "r1", output: [call], usage }),
      json({ id: "r2", output: [message("Sunny")], usage }),
    )
    expect(await perform({ protocol, tools: [weather] })).toMatchObject({
      text: "Sunny",
      conversationId: "r2",
      assigned: { Seen: "Oslo" },
    })
    expect(provider.received[1]?.json).toMatchObject({
      previous_response_id: "r1",
      input: [
        { type: "function_call_output", call_id: "c1", output: '{"sunny":true,"city":"Oslo"}' },
      ],
    })
  })

  test("does not continue a response whose calls were never answered", async () => {
    const call = (id: string) => ({
      ...{ type: "function_call", id, call_id: id, name: "weather", arguments: "{}" },
    })
    provider.answers(
      json({ id: "r1", output: [call("c1")], usage }),
      json({ id: "r2", output: [call("c2")], usage }),
    )
    const answer = await perform({ protocol, tools: [weather], maxSteps: 2 })
    expect(provider.received).toHaveLength(2)
    expect(answer).not.toHaveProperty("conversationId")
  })

  test("begins anew where the provider has forgotten the conversation", async () => {
    const words = "Previous response with id 'r0' not found."
    const forgotten = json({ error: { message: words, code: "previous_response_not_found" } }, 400)
    provider.answers(forgotten, json({ id: "r1", output: [message("Hi")], usage }))
    const parts = { protocol, conversationId: "r0" }
    expect(await perform(parts)).toMatchObject({ text: "Hi", conversationId: "r1" })
    expect(provider.received[0]?.json).toMatchObject({ previous_response_id: "r0" })
    expect(provider.received[1]?.json).not.toHaveProperty("previous_response_id")
    provider.answers(forgotten)
    expect(await perform(parts)).toMatchObject({ failed: true, details: words })
    expect(provider.received).toHaveLength(2)
  })

  test("streams texts", async () => {
    provider.answers(
      events(
        { type: "response.created", response: { id: "r3", created_at: 1, model: "m-1" } },
        { type: "response.output_text.delta", item_id: "m1", delta: "H" },
        { type: "response.output_text.delta", item_id: "m1", delta: "i" },
        { type: "response.completed", response: { id: "r3", output: [message("Hi")], usage } },
      ),
    )
    const { seen, outcome } = await stream({ protocol })
    expect(seen).toEqual(["H", "i"])
    expect(outcome).toEqual({
      text: "Hi",
      conversationId: "r3",
      usage: { total: 3, prompt: 1, completion: 2 },
    })
  })

  test("passes on a temperature to models that reason", async () => {
    provider.answers(json({ id: "r1", output: [message("Hi")], usage }))
    await perform({ protocol, model: "gpt-5.1", temperature: 0.3 })
    expect(provider.received[0]?.json).toMatchObject({ model: "gpt-5.1", temperature: 0.3 })
  })
})

describe("Dify", () => {
  const parts = {
    protocol: "difyChat" as const,
    credential: { id: "dify", type: "dify-ai" },
    conversationId: "d1",
    app: { user: "u1", inputs: { tone: "kind" } },
  }
  const answer = events(
    { event: "message", answer: "H", conversation_id: "d2" },
    { event: "agent_message", answer: "i", conversation_id: "d2" },
    {
      event: "message_end",
      conversation_id: "d2",
      metadata: { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    },
  )

  test("asks the app, below the origin of its address", async () => {
    provider.answers(answer)
    expect(await perform(parts)).toEqual({
      text: "Hi",
      conversationId: "d2",
      usage: { total: 3, prompt: 1, completion: 2 },
    })
    expect(provider.received[0]).toMatchObject({ path: "/v1/chat-messages" })
    expect(provider.received[0]?.json).toMatchObject({
      query: "Hello",
      user: "u1",
      inputs: { tone: "kind" },
      conversation_id: "d1",
    })
  })

  test("begins anew where Dify does not know the conversation, as after a change of its user", async () => {
    const message = "Conversation Not Exists."
    const unknown = json({ code: "not_found", message, status: 404 }, 404)
    provider.answers(unknown, answer)
    expect(await perform(parts)).toMatchObject({ text: "Hi", conversationId: "d2" })
    const asked = provider.received.map(({ json }) => json)
    expect(asked[0]).toMatchObject({ conversation_id: "d1" })
    expect(asked[1]).not.toHaveProperty("conversation_id")
    provider.answers(unknown)
    expect(await perform(parts)).toMatchObject({ failed: true, details: message })
    expect(provider.received).toHaveLength(2)
    provider.answers(json({ message: "App not found" }, 404))
    expect(await perform(parts)).toMatchObject({ failed: true, status: 404 })
    expect(provider.received).toHaveLength(1)
  })

  test("streams its answer", async () => {
    provider.answers(answer)
    expect((await stream(parts)).seen).toEqual(["H", "i"])
  })
})
