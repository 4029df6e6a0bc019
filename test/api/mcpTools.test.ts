/** Tools of MCP servers: how editors list them, and how bots call them in chats. */
import { beforeEach, expect, test } from "vitest"
import { events, json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { startMcpServer, toolOf } from "../support/mcpServer.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ PARLEY_ALLOW_HOSTS: "127.0.0.1" })
const token = "the-token-of-the-tools-0123456789"
const tools = await startMcpServer({
  tools: [toolOf("count", { guests: { type: "integer" } }), toolOf("fail")],
  call: ({ name, arguments: given }) => ({
    content: [{ type: "text", text: `${JSON.stringify(given)} by ${token}` }],
    isError: name === "fail",
  }),
})
beforeEach(() => {
  tools.calls.length = 0
})

async function newCredential(type: string, data: object): Promise<string> {
  const credentials = { type, name: "Tools", data }
  const sent = { body: { workspaceId: server.workspaceId, credentials } }
  const { status, body } = await server.send("POST", "/api/v1/credentials", sent)
  expect(status, JSON.stringify(body)).toBe(200)
  return String(body.credentialsId)
}
const listTools = (credentialsId: string) =>
  server.send("GET", `/api/v1/credentials/${credentialsId}/tools`)

const credentialsId = await newCredential("mcp", { url: tools.url, token })

/** A bot that asks for a number, calls a tool with it, and says what came back. */
const calling = (tool: string) =>
  bot(
    group(
      "A",
      ask.text({ saves: "Guests" }),
      block("mcp", {
        credentialsId,
        action: "Call Tool",
        tool,
        arguments: [{ name: "guests", value: "{{Guests}}" }],
        responseMapping: [
          { variableId: idOf("Text") },
          { item: "Outcome", variableId: idOf("Outcome") },
        ],
      }),
      say("{{Outcome}}: {{Text}}"),
      ask.text(),
    ),
  )

test("an editor lists the tools of a server with the schemas of their arguments", async () => {
  expect(await listTools(credentialsId)).toMatchObject({
    status: 200,
    body: {
      tools: [
        {
          name: "count",
          description: "Does count",
          inputSchema: { type: "object", properties: { guests: { type: "integer" } } },
        },
        { name: "fail" },
      ],
    },
  })
})

test("a server that cannot be reached is described instead of its tools", async () => {
  const lost = await newCredential("mcp", { url: "http://127.0.0.1:2/mcp" })
  expect((await listTools(lost)).body).toEqual({
    tools: [],
    error: expect.stringMatching(/^The MCP server could not be reached/),
  })
})

test("credentials of other types have no tools", async () => {
  const other = await newCredential("http proxy", { url: "http://a.example" })
  expectRefusal(await listTools(other), 400, "BAD_REQUEST")
})

test("the credential shows neither its address nor anything else of its data", async () => {
  const { body } = await server.send("GET", `/api/v1/credentials/${credentialsId}`)
  expect(body.credentials).toMatchObject({ type: "mcp", data: {} })
})

test("21.21 a visitor's number reaches the tool as one, and its text the visitor", async () => {
  const { publicId } = await publishBot(server, calling("count"))
  const { body } = await (await chatOver(server, publicId)).say("4")
  expect(textsOf(body).at(-1)).toBe('ok: {"guests":4} by \\*\\*\\*')
  expect(tools.calls).toEqual([{ name: "count", arguments: { guests: 4 } }])
})

test("21.21 a tool that fails is in the log for authors, and the flow goes on", async () => {
  const { publicId, botId } = await publishBot(server, calling("fail"))
  const chat = await chatOver(server, publicId)
  const { body } = await chat.say("4")
  expect(textsOf(body).at(-1)).toBe("failed: ")
  expect(body.logs ?? []).toEqual([])
  const results = `/api/v1/bots/${botId}/results`
  const path = `${results}/${chat.step.resultId}`
  expect((await server.send("GET", `${path}/logs`)).body.logs).toMatchObject([
    { description: "The tool reports an error", details: '{"guests":"4"} by ***' },
  ])
  const { body: trace } = await server.send("GET", `${path}/trace`)
  expect(JSON.stringify(trace)).toContain('"kind":"mcpTool","status":"failed"')
})

const provider = await startPeer()
const reply = (message: object) => json({ choices: [{ message }] })
const callOfCount = {
  tool_calls: [
    { id: "t", type: "function", function: { name: "count", arguments: '{"guests":4}' } },
  ],
}

test("21.22 a model calls a tool, and the trace names it after the model", async () => {
  const apiKey = "sk-top-secret-0123456789"
  const ai = await newCredential("openai", { apiKey, baseUrl: `${provider.url}/v1` })
  provider.answers(reply(callOfCount), reply({ content: "Four it is" }))
  const model = block("openai", {
    credentialsId: ai,
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [{ role: "user", content: "For {{Guests}}" }],
    mcpServers: [{ credentialsId, tools: ["count"] }],
    responseMapping: [{ item: "Message content", variableId: idOf("Text") }],
  })
  const asking = ask.text({ saves: "Guests" })
  const { publicId, botId } = await publishBot(
    server,
    bot(group("A", asking, model, say("{{Text}}"), ask.text())),
  )
  const chat = await chatOver(server, publicId)
  const { body } = await chat.say("4")
  expect(textsOf(body).at(-1)).toBe("Four it is")
  expect(tools.calls).toEqual([{ name: "count", arguments: { guests: 4 } }])
  const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}/trace`
  const { body: trace } = await server.send("GET", path)
  const calls = (trace.turns as { calls: object[] }[]).flatMap((turn) => turn.calls)
  expect(calls).toMatchObject([
    { kind: "model", status: "done" },
    { kind: "mcpTool", status: "done", tool: "count" },
  ])
  expect(JSON.stringify(provider.received)).not.toContain(token)
})

test("21.22 a streamed answer has the calls of its tools in the trace, too", async () => {
  const ai = await newCredential("openai", { apiKey: "sk-1", baseUrl: `${provider.url}/v1` })
  const [first] = callOfCount.tool_calls
  const part = { index: 0, ...first }
  provider.answers(
    events({ choices: [{ delta: { tool_calls: [part] }, finish_reason: "tool_calls" }] }, "[DONE]"),
    events({ choices: [{ delta: { content: "Four" }, finish_reason: "stop" }] }, "[DONE]"),
  )
  const model = block("openai", {
    credentialsId: ai,
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [{ role: "user", content: "Hi" }],
    mcpServers: [{ credentialsId }],
    responseMapping: [{ item: "Message content", variableId: idOf("Text") }],
  })
  const { publicId, botId } = await publishBot(
    server,
    bot(group("A", ask.text(), model, say("{{Text}}"), ask.text())),
  )
  const chat = await chatOver(server, publicId, { isStreamEnabled: true })
  await chat.say("4")
  const stream = `${server.address}/api/v1/sessions/${chat.step.sessionId}/streamMessage`
  const headers = { "content-type": "application/json" }
  const streamed = await fetch(stream, { method: "POST", headers, body: "{}" })
  expect(await streamed.text()).toContain("Four")
  const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}/trace`
  const { body: trace } = await server.send("GET", path)
  expect(JSON.stringify(trace)).toMatch(/"kind":"mcpTool","status":"done","ms":\d+,"tool":"count"/)
})
