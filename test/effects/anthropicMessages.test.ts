/** Anthropic messages: as a whole and bit by bit, with pictures and the author's functions. */
import { describe, expect, test } from "vitest"
import { apiKey, perform, picture, provider, stream, textsOf, weather } from "./modelWorld.ts"
import { events, json } from "./peer.ts"

describe("Anthropic messages", () => {
  const protocol = "anthropicMessages" as const

  test("asks with the instructions apart and takes the answer", async () => {
    provider.answers(
      json({
        content: [{ type: "text", text: "Hi" }],
        usage: { input_tokens: 2, output_tokens: 3 },
      }),
    )
    expect(await perform({ protocol })).toEqual({
      text: "Hi",
      usage: { total: 5, prompt: 2, completion: 3 },
    })
    const [request] = provider.received
    expect(request).toMatchObject({
      path: "/v1/messages",
      headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
    })
    expect(request?.json).toEqual({
      model: "m-1",
      max_tokens: 4096,
      system: "Be brief",
      messages: [{ role: "user", content: "Hello" }],
    })
  })

  test("runs the author's functions", async () => {
    const use = { type: "tool_use", id: "t1", name: "weather", input: { city: "Oslo" } }
    provider.answers(
      json({ content: [{ type: "text", text: "Let me see" }, use] }),
      json({ content: [{ type: "text", text: "Sunny" }] }),
    )
    expect(await perform({ protocol, tools: [weather] })).toEqual({
      text: "Sunny",
      assigned: { Seen: "Oslo" },
    })
    const { messages } = provider.received[1]?.json as { messages: object[] }
    expect(messages.slice(1)).toEqual([
      { role: "assistant", content: [{ type: "text", text: "Let me see" }, use] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: '{"sunny":true,"city":"Oslo"}' },
        ],
      },
    ])
  })

  test("takes values from the function that it makes the model call", async () => {
    provider.answers(
      json({ content: [{ type: "tool_use", id: "t", name: "answer", input: { a: 1 } }] }),
    )
    const answerSchema = { type: "object", properties: { a: { type: "number" } } }
    expect(await perform({ protocol, answerSchema })).toMatchObject({ text: '{"a":1}' })
    expect(provider.received[0]?.json).toMatchObject({
      tools: [{ name: "answer", input_schema: answerSchema }],
      tool_choice: { type: "tool", name: "answer" },
    })
  })

  test("streams texts and functions", async () => {
    const block = (index: number, content_block: object) => ({
      type: "content_block_start",
      index,
      content_block,
    })
    const delta = (index: number, change: object) => ({
      type: "content_block_delta",
      index,
      delta: change,
    })
    provider.answers(
      events(
        { type: "message_start", message: { usage: { input_tokens: 5, output_tokens: 1 } } },
        block(0, { type: "tool_use", id: "t1", name: "weather", input: {} }),
        delta(0, { type: "input_json_delta", partial_json: '{"city":' }),
        delta(0, { type: "input_json_delta", partial_json: '"Rome"}' }),
        { type: "message_delta", usage: { output_tokens: 9 } },
      ),
      events(
        { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
        block(0, { type: "text", text: "" }),
        delta(0, { type: "text_delta", text: "Sun" }),
        delta(0, { type: "text_delta", text: "ny" }),
      ),
    )
    const { seen, outcome } = await stream({ protocol, tools: [weather] })
    expect(textsOf(seen)).toEqual(["Sun", "ny"])
    expect(outcome).toEqual({
      text: "Sunny",
      usage: { total: 16, prompt: 6, completion: 10 },
      assigned: { Seen: "Rome" },
    })
  })

  test("shows pictures by their bytes", async () => {
    provider.answers(json({ content: [] }))
    await perform({
      protocol,
      messages: [{ role: "user", content: [{ url: "https://e.com/a.png" }] }],
    })
    expect(provider.received[0]?.json).toMatchObject({
      messages: [
        {
          content: [
            {
              type: "image",
              source: { type: "base64", media_type: "image/png", data: picture.toString("base64") },
            },
          ],
        },
      ],
    })
  })
})
