/** MCP servers that mean harm: what they answer has bounds, and fails in one sentence. */
import { describe, expect, it } from "vitest"
import { createOpenCredential } from "../../src/effects/credentials/credentials.ts"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { whenOver } from "../support/whenOver.ts"
import { type Answer, callContext, json, type Received, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const token = "the-token-of-the-tools-0123456789"
const pathKey = "a1b2c3d4e5f6g7h8"
const peer = await startPeer()
const other = await startPeer()
const allowHosts = [peer.url, other.url].map((address) => new URL(address).host)
const outbound = openOutbound({ allowHosts })
whenOver(() => outbound.close())
const url = `${peer.url}/${pathKey}/mcp`
const data = { url, token }
const tools = createMcpTools({
  fetch: outbound.fetch,
  credentials: wallet({ hostile: { type: "mcp", data } }),
})
const never = new AbortController().signal

/** A server that greets properly, and then answers each request of this method so. */
function hostile(method: string, answer: Answer, sessionId?: string): void {
  peer.answers((response, request) => {
    const { id, method: asked } = (request.json ?? {}) as { id?: number; method?: string }
    if (asked === method) return answer(response, request)
    if (asked !== "initialize") return void response.writeHead(202).end()
    if (sessionId !== undefined) response.setHeader("mcp-session-id", sessionId)
    const serverInfo = { name: "x", version: "1" }
    const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo }
    json({ jsonrpc: "2.0", id, result })(response, request)
  })
}

const idOf = ({ json: sent }: Received) => (sent as { id: number }).id
const answered = (result: (request: Received) => object): Answer => {
  return (response, request) => {
    json({ jsonrpc: "2.0", id: idOf(request), result: result(request) })(response, request)
  }
}
const streamed = (write: (send: (text: string) => boolean, id: number) => void): Answer => {
  return (response, request) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const send = (text: string) => {
      response.write(text)
      return !response.destroyed
    }
    write(send, idOf(request))
  }
}

const asking = streamed((send) => {
  for (let id = 0; id < 200; id++) send(`data: {"jsonrpc":"2.0","id":${id},"method":"ping"}\n\n`)
})

const listed = () => {
  const credential = createOpenCredential("mcp", data, { name: "c", allowedHosts: [] })
  return tools.list(credential, never)
}
const called = () =>
  tools.performer(
    { kind: "mcpTool", credential: { id: "hostile", type: "mcp" }, tool: "x", arguments: [] },
    callContext(),
  )
const unusable = "The MCP server gave no answer that can be used"

describe("13.5 a hostile server", () => {
  it("lists no more than 200 tools, on no more than 10 pages", async () => {
    const page = Array.from({ length: 30 }, (_, index) => ({ name: `t${index}` }))
    hostile(
      "tools/list",
      answered(() => ({ tools: page, nextCursor: "more" })),
    )
    expect(await listed()).toHaveLength(200)
    hostile(
      "tools/list",
      answered(() => ({ tools: [{ name: "a" }], nextCursor: "more" })),
    )
    expect(await listed()).toHaveLength(10)
  })

  it("sends no more than 2 MB in all its answers together", async () => {
    const page = { tools: [{ name: "a" }], nextCursor: "more", filler: "x".repeat(300_000) }
    hostile(
      "tools/list",
      answered(() => page),
    )
    expect(await listed()).toMatchObject({ description: "The MCP server answers too much" })
    expect(peer.received.length).toBeLessThan(12)
  })

  it("describes tools with what fits: names, texts and schemas have bounds", async () => {
    const long = "a".repeat(50_000)
    const listing = [
      { name: long },
      { name: 5 },
      null,
      { name: "a", title: long, description: long, inputSchema: { type: "object", title: long } },
    ]
    hostile(
      "tools/list",
      answered(() => ({ tools: listing })),
    )
    const found = await listed()
    expect(found).toEqual([
      {
        name: "a",
        title: expect.stringMatching(/^a{99}…$/),
        description: expect.stringMatching(/^a{1999}…$/),
        inputSchema: { type: "object" },
      },
    ])
  })

  it.each<[string, Answer, string]>([
    [
      "that never stops to send",
      streamed((send) => {
        const fill = (): void => {
          if (send(`: ${"x".repeat(60_000)}\n`)) setImmediate(fill)
        }
        fill()
      }),
      "The MCP server answers too much",
    ],
    [
      "that sends one endless line",
      streamed((send) => void send(`data: ${"x".repeat(3_000_000)}`)),
      "The MCP server answers too much",
    ],
    [
      "that sends nothing but other messages",
      streamed((send) => {
        const note = { jsonrpc: "2.0", method: "notifications/message", params: {} }
        send(`data: ${JSON.stringify(note)}\n\n`.repeat(1_001))
      }),
      unusable,
    ],
    ["that asks without end", asking, unusable],
    [
      "whose stream ends early",
      (response, request) => {
        streamed((send) => void send("id: 1\nretry: 0\ndata:\n\n"))(response, request)
        response.end()
      },
      unusable,
    ],
    [
      "whose answer is too long",
      answered(() => ({ a: "x".repeat(2_000_001) })),
      "The MCP server answers too much",
    ],
    [
      "whose answer is nested too deep",
      (response, request) => {
        response.setHeader("content-type", "application/json")
        const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`
        response.end(`{"jsonrpc":"2.0","id":${idOf(request)},"result":{"a":${deep}}}`)
      },
      unusable,
    ],
    [
      "whose answer has too many values",
      answered(() => ({ content: Array.from({ length: 20_001 }, () => 0) })),
      unusable,
    ],
    ["that answers with a page", (response) => response.end("<html>"), unusable],
    [
      "that refuses",
      (response) => response.writeHead(404).end(`Cannot POST /${pathKey}/mcp with ${token}`),
      "The MCP server refused with status 404",
    ],
    [
      "that has an error",
      (response, request) => {
        const error = { code: -32602, message: `No tool for ${token}` }
        json({ jsonrpc: "2.0", id: idOf(request), error })(response, request)
      },
      "The MCP server refused the call",
    ],
    [
      "that leads to another host",
      (response) => response.writeHead(307, { location: "http://169.254.169.254/" }).end(),
      "The MCP server is at an address that must not be called",
    ],
    [
      "that leads to another server, though that may be called",
      (response) => response.writeHead(307, { location: other.url }).end(),
      "The MCP server is at an address that must not be called",
    ],
    [
      "that leads round in circles",
      (response) => response.writeHead(307, { location: url }).end(),
      "The MCP server is at an address that must not be called",
    ],
  ])("%s ends in a failure", async (_, answer, description) => {
    hostile("tools/call", answer)
    const outcome = await called()
    expect(outcome).toMatchObject({ failed: true, description })
    expect(peer.received.length).toBeLessThanOrEqual(61)
    const text = JSON.stringify(outcome)
    expect(text).not.toContain(token)
    expect(text).not.toContain(pathKey)
  })

  it("may begin a stream with an event without data", async () => {
    hostile(
      "tools/call",
      streamed((send, id) => {
        send("id: 1\nretry: 0\ndata:\n\n")
        send(`event: message\ndata: {"jsonrpc":"2.0","id":${id},\ndata: "result":{}}\n\n`)
      }),
    )
    expect(await called()).toEqual({ text: "" })
  })

  it("cannot have a session id of any length sent back", async () => {
    hostile(
      "tools/call",
      answered(() => ({})),
      "s".repeat(1_001),
    )
    expect(await called()).toEqual({ text: "" })
    for (const { headers } of peer.received) expect(headers).not.toHaveProperty("mcp-session-id")
  })

  it("greets with an unknown version of the protocol, or a greeting of another form", async () => {
    const greeting = (protocolVersion: unknown) => {
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: "x", version: "1" } }
      hostile(
        "initialize",
        answered(() => result),
      )
    }
    greeting("1999-01-01")
    expect(await called()).toMatchObject({ failed: true, description: unusable })
    greeting(5)
    expect(await called()).toMatchObject({ failed: true, description: unusable })
  })
})
