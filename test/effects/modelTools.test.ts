/** Tools of MCP servers that models call: what is offered, what is called, and the bounds on both. */
import { beforeEach, describe, expect, test, vi } from "vitest"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { createModels } from "../../src/effects/models/models.ts"
import type { Call, ToolUse } from "../../src/engine/calls.ts"
import { startMcpServer, toolOf } from "../support/mcpServer.ts"
import { apiKey, ask, provider, weather } from "./modelWorld.ts"
import { callContext, events, json, plainFetch } from "./peer.ts"
import { wallet } from "./wallet.ts"

const token = "the-token-of-the-tools-0123456789"
const city = { city: { type: "string" } }
const many = await startMcpServer({
  tools: Array.from({ length: 129 }, (_, index) => toolOf(`t${index}`)),
})
const server = await startMcpServer({
  tools: [toolOf("weather", city), toolOf("find.order", city), toolOf("fail"), toolOf("long")],
  call: ({ name, arguments: given }) => ({
    content: [
      {
        type: "text",
        text: name === "long" ? "x".repeat(60_000) : `${JSON.stringify(given)} ${token}`,
      },
    ],
    isError: name === "fail",
  }),
})

const data = { url: server.url, token }
const credentials = wallet({
  ai: { type: "openai", data: { apiKey, baseUrl: `${provider.url}/v1` } },
  tools: { type: "mcp", data },
  many: { type: "mcp", data: { url: many.url } },
  lost: { type: "mcp", data: { url: "http://127.0.0.1:2/mcp" } },
})
const models = createModels({
  credentials,
  readFile: async () => ({ failed: true, description: "no files" }),
  fetch: plainFetch,
  script: async () => ({ results: [{ value: "sunny" }] }),
  mcp: createMcpTools({ credentials, fetch: plainFetch }),
})

const mcp = (id: string, tools?: string[]) => ({
  credential: { id, type: "mcp" },
  ...(tools && { tools }),
})

let used: ToolUse[] = []
const perform = (parts: Partial<Call<"model">>) =>
  models.performer(
    ask({ mcpServers: [mcp("tools")], ...parts }),
    callContext({ noteTool: (use) => void used.push(use) }),
  )

beforeEach(async () => {
  await vi.waitFor(() => expect(server.sessions.size).toBe(0))
  used = []
  server.calls.length = 0
  provider.answers()
})

/** An answer of chat completions that calls tools, and one that says something. */
const calls = (...named: [name: string, args: object][]) =>
  json({ choices: [{ message: { role: "assistant", tool_calls: named.map(callOf) } }] })
const callOf = ([name, args]: [string, object], index: number) => ({
  id: `t${index}`,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
})
const says = (content: string) => json({ choices: [{ message: { role: "assistant", content } }] })

type Sent = {
  tools?: { function: { name: string } }[]
  messages: { role: string; content: unknown }[]
}
const sent = (index: number) => provider.received[index]?.json as Sent
const offered = () => sent(0).tools?.map((tool) => tool.function.name)
const results = (index = 1) =>
  sent(index).messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []))

describe("21.22 a model with an MCP server", () => {
  test("is offered its tools as functions, and gets the result of the one that it calls", async () => {
    provider.answers(calls(["find_order", { city: "Oslo" }]), says("Found"))
    expect(await perform({})).toEqual({ text: "Found" })
    expect(sent(0).tools).toContainEqual({
      type: "function",
      function: {
        name: "find_order",
        description: "Does find.order",
        parameters: { type: "object", properties: city },
      },
    })
    expect(server.calls).toEqual([{ name: "find.order", arguments: { city: "Oslo" } }])
    expect(results()).toEqual(['{"city":"Oslo"} ***'])
    expect(used).toEqual([{ tool: "find.order", outcome: "ok", ms: expect.any(Number) }])
  })

  test("speaks the protocol of Anthropic, too", async () => {
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: "m", type: "message", role: "assistant", model: "m-1", usage }
    const input = { city: "Oslo" }
    const call = { type: "tool_use", id: "t", name: "find_order", input }
    provider.answers(
      json({ ...message, content: [call], stop_reason: "tool_use" }),
      json({ ...message, content: [{ type: "text", text: "Found" }], stop_reason: "end_turn" }),
    )
    expect(await perform({ protocol: "anthropicMessages" })).toMatchObject({ text: "Found" })
    expect(server.calls).toEqual([{ name: "find.order", arguments: input }])
    expect(JSON.stringify(sent(1).messages)).toContain('{\\"city\\":\\"Oslo\\"} ***')
  })

  test("is offered none but the chosen tools, and those alone can be called", async () => {
    provider.answers(calls(["fail", {}]), says("Done"))
    await perform({ mcpServers: [mcp("tools", ["find.order", "unknown"])] })
    expect(offered()).toEqual(["find_order"])
    expect(results()).toEqual(["There is no function of this name"])
    expect(server.calls).toEqual([])
  })

  test("tells tools of the same name apart, the author's function first", async () => {
    provider.answers(calls(["weather", {}], ["weather_2", {}], ["weather_3", {}]), says("Done"))
    await perform({
      tools: [weather],
      mcpServers: [mcp("tools", ["weather"]), mcp("tools", ["weather"])],
    })
    expect(offered()).toEqual(["weather", "weather_2", "weather_3"])
    expect(results()).toEqual(["sunny", "{} ***", "{} ***"])
  })

  test("learns that a tool has failed", async () => {
    provider.answers(calls(["fail", {}]), says("Sorry"))
    expect(await perform({})).toEqual({ text: "Sorry" })
    expect(results()).toEqual(["The tool failed: {} ***"])
    expect(used).toMatchObject([{ tool: "fail", outcome: "failed" }])
  })

  test("is not asked when a server does not list its tools, or has lost its credential", async () => {
    const lost = { failed: true, description: "The MCP server could not be reached" }
    expect(await perform({ mcpServers: [mcp("tools"), mcp("lost")] })).toMatchObject(lost)
    expect(await perform({ mcpServers: [mcp("other")] })).toMatchObject({ reason: "credentials" })
    expect(provider.received).toEqual([])
  })

  test("streams its answer after it has called a tool, and the session at the server ends", async () => {
    const part = { index: 0, ...callOf(["find.order", {}], 0) }
    part.function.name = "find_order"
    provider.answers(
      events(
        { choices: [{ delta: { tool_calls: [part] } }] },
        { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
        "[DONE]",
      ),
      events(
        { choices: [{ delta: { content: "Fo" } }] },
        { choices: [{ delta: { content: "und" }, finish_reason: "stop" }] },
        "[DONE]",
      ),
    )
    const answer = models.stream(ask({ mcpServers: [mcp("tools")] }), callContext())
    expect(await answer.next()).toMatchObject({ value: "Fo" })
    expect(server.calls).toHaveLength(1)
    expect(server.sessions.size).toBe(1)
    await answer.return({ text: "" })
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
  })
})

describe("13.5 tools of a model", () => {
  test("are called at most 20 times for one question", async () => {
    const wish: [string, object] = ["find_order", {}]
    provider.answers(calls(...Array.from({ length: 21 }, () => wish)), says("Done"))
    await perform({})
    expect(server.calls).toHaveLength(20)
    expect(results().at(-1)).toBe("No more tools can be called")
  })

  test("are at most 128", async () => {
    const refused = { failed: true, description: "The model would be offered too many tools" }
    expect(await perform({ mcpServers: [mcp("many")] })).toMatchObject(refused)
    expect(provider.received).toEqual([])
  })

  test("give and get texts of bounded length", async () => {
    provider.answers(
      calls(["long", {}], ["find_order", { city: "x".repeat(100_001) }]),
      says("Done"),
    )
    await perform({})
    expect(results()).toEqual([expect.stringMatching(/^x{49999}…$/), "The arguments are too long"])
    expect(server.calls).toHaveLength(1)
  })
})
