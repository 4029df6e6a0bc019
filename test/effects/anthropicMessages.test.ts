/** Tests Anthropic Messages: whole and streamed, with pictures and the author's functions. */
import { describe, expect, test } from "vitest"
import { pick } from "../../src/lib/foreignJson.ts"
import { apiKey, perform, picture, provider, stream, weather } from "./modelWorld.ts"
import { events, json } from "./peer.ts"

const said = (content: object[], usage = { input_tokens: 2, output_tokens: 3 }) =>
  json({ type: "message", role: "assistant", content, usage })

const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
]

const spoken = (input: number, output: number, ...blocks: object[][]) =>
  events(
    { type: "message_start", message: { usage: { input_tokens: input, output_tokens: 1 } } },
    { type: "ping" },
    ...blocks.flat(),
    { type: "message_delta", delta: {}, usage: { output_tokens: output } },
    { type: "message_stop" },
  )

describe("Anthropic messages", () => {
  const protocol = "anthropicMessages" as const

  test("asks with the instructions apart and takes the answer", async () => {
    provider.answers(said([{ type: "text", text: "Hi" }]))
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
      system: [{ type: "text", text: "Be brief" }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    })
  })

  test("runs the author's functions", async () => {
    const use = { type: "tool_use", id: "t1", name: "weather", input: { city: "Oslo" } }
    provider.answers(
      said([{ type: "text", text: "Let me see" }, use]),
      said([{ type: "text", text: "Sunny" }]),
    )
    expect(await perform({ protocol, tools: [weather] })).toEqual({
      text: "Sunny",
      usage: { total: 10, prompt: 4, completion: 6 },
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
    provider.answers(said([{ type: "tool_use", id: "t", name: "json", input: { a: 1 } }]))
    const answerSchema = { type: "object", properties: { a: { type: "number" } } }
    expect(await perform({ protocol, answerSchema })).toMatchObject({ text: '{"a":1}' })
    expect(provider.received[0]?.json).toMatchObject({
      tools: [{ name: "json", input_schema: answerSchema }],
      tool_choice: { type: "any" },
    })
  })

  test("streams texts and functions", async () => {
    const use = { type: "tool_use", id: "t1", name: "weather", input: {} }
    const json = (partial_json: string) => ({ type: "input_json_delta", partial_json })
    const text = (text: string) => ({ type: "text_delta", text })
    provider.answers(
      spoken(5, 9, block(0, use, json('{"city":'), json('"Rome"}'))),
      spoken(1, 1, block(0, { type: "text", text: "" }, text("Sun"), text("ny"))),
    )
    const { seen, outcome } = await stream({ protocol, tools: [weather] })
    expect(seen).toEqual(["Sun", "ny"])
    expect(outcome).toEqual({
      text: "Sunny",
      usage: { total: 16, prompt: 6, completion: 10 },
      assigned: { Seen: "Rome" },
    })
  })

  test("leaves out events that the provider has added", async () => {
    const added = { type: "message_note", note: { text: "new" } }
    const text = block(0, { type: "text", text: "" }, { type: "text_delta", text: "Sunny" })
    provider.answers(spoken(1, 1, [added, ...text]))
    expect((await stream({ protocol })).outcome).toMatchObject({ text: "Sunny" })
  })

  test.each([
    ["as a whole", false],
    ["bit by bit", true],
  ])("reminds the model of what it thought before it called functions, %s", async (_, isStreamed) => {
    const thought = { type: "thinking", thinking: "Look it up", signature: "s1" }
    const use = { type: "tool_use", id: "t1", name: "weather", input: {} }
    const thinking = block(
      0,
      { type: "thinking", thinking: "" },
      { type: "thinking_delta", thinking: "Look " },
      { type: "thinking_delta", thinking: "it up" },
      { type: "signature_delta", signature: "s1" },
    )
    if (isStreamed) provider.answers(spoken(1, 1, thinking, block(1, use)), spoken(1, 1))
    else provider.answers(said([thought, use]), said([]))
    await (isStreamed ? stream : perform)({ protocol, tools: [weather] })
    const { messages } = provider.received[1]?.json as { messages: object[] }
    expect(messages[1]).toEqual({ role: "assistant", content: [thought, use] })
  })

  test("shows pictures by their bytes", async () => {
    provider.answers(said([]))
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

  test.each([
    ["anthropicMessages", 3_900_000, "image"],
    ["anthropicMessages", 3_950_000, "text"],
    ["chatCompletions", 3_950_000, "image_url"],
    ["chatCompletions", 5_000_001, "text"],
  ] as const)("shows %s a picture of %i bytes as %s", async (protocol, bytes, type) => {
    provider.answers(said([]))
    const url = `https://e.com/${bytes}.png`
    await perform({ protocol, messages: [{ role: "user", content: [{ url }, { url }] }] })
    const content = pick(provider.received[0]?.json, "messages", 0, "content")
    if (type === "text") expect(JSON.stringify(content)).toContain(url)
    else
      expect(content).toEqual([
        expect.objectContaining({ type }),
        expect.objectContaining({ type }),
      ])
  })
})
