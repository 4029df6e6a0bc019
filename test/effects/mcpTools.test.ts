/** Tools of MCP servers: the calls that a server gets, and the bounds on those that mean harm. */
import { beforeEach, describe, expect, it, vi } from "vitest"
import { createOpenCredential } from "../../src/effects/credentials/credentials.ts"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import type { Call } from "../../src/engine/calls.ts"
import { startMcpServer, toolOf } from "../support/mcpServer.ts"
import { whenOver } from "../support/whenOver.ts"
import { type Answer, callContext, json, type Received, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const token = "the-token-of-the-tools-0123456789"
const pathKey = "a1b2c3d4e5f6g7h8"

const number = { type: "number" }
const many = Array.from({ length: 25 }, (_, index) => toolOf(`tool${index}`))
const book = toolOf("book", {
  guests: { type: "integer" },
  price: { anyOf: [number, { type: "null" }] },
  isLate: { type: "boolean" },
  name: { type: "string" },
  tags: { type: "array", items: { type: "string" } },
  sizes: { type: "array", items: number },
  place: { type: "object" },
})

const server = await startMcpServer({
  tools: [book, toolOf("echo"), toolOf("fail"), toolOf("shape"), toolOf("ask"), ...many],
  pageSize: 10,
  call: async ({ name, arguments: given }, ask) => {
    const said = (text: string) => ({ content: [{ type: "text" as const, text }] })
    switch (name) {
      case "echo":
        return said(`Bearer ${token} at https://h/${pathKey}/mcp`)
      case "fail":
        return { ...said(`No table for ${token}`), isError: true }
      case "shape":
        return {
          content: [
            { type: "text", text: "One" },
            { type: "image", data: "AAAA", mimeType: "image/png" },
            { type: "resource_link", uri: "https://h/a.pdf", name: "a" },
            { type: "resource", resource: { uri: "https://h/b", text: "Two" } },
          ],
          structuredContent: { token, n: 1 },
        }
      case "ask": {
        const refusals = await Promise.allSettled(
          ["sampling/createMessage", "elicitation/create", "roots/list"].map(ask),
        )
        return said(refusals.map(({ status }) => status).join())
      }
      default:
        return said(JSON.stringify(given))
    }
  },
})
const peer = await startPeer()

const outbound = openOutbound({ allowHosts: [server.host, new URL(peer.url).host] })
whenOver(() => outbound.close())
const dataOf = (url: string) => ({ url, token, headers: { "X-Team": "red-team-0123" } })
const data = dataOf(server.url)
const hostileUrl = `${peer.url}/${pathKey}/mcp`
const tools = createMcpTools({
  fetch: outbound.fetch,
  credentials: wallet({
    c: { type: "mcp", data },
    hostile: { type: "mcp", data: dataOf(hostileUrl) },
    inside: { type: "mcp", data: { url: "http://127.0.0.1:2/mcp" } },
  }),
})

const call = (tool: string, given: Call<"mcpTool">["arguments"] = [], id = "c") =>
  tools.performer(
    { kind: "mcpTool", credential: { id, type: "mcp" }, tool, arguments: given },
    callContext(),
  )

const never = new AbortController().signal
const open = (url: string) =>
  createOpenCredential("mcp", dataOf(url), { name: "c", allowedHosts: [] })

beforeEach(async () => {
  await vi.waitFor(() => expect(server.sessions.size).toBe(0))
  server.calls.length = 0
  server.requests.length = 0
})

describe("21.21 a call of a tool", () => {
  it("gives the values the types that the tool's schema asks for", async () => {
    await call("book", [
      ["guests", "4"],
      ["price", " 9.5 "],
      ["isLate", "true"],
      ["name", "42"],
      ["tags", "new"],
      ["sizes", ["1", "2.5", null]],
      ["place", '{"city":"Rome"}'],
      ["unknown", "5"],
    ])
    expect(server.calls).toEqual([
      {
        name: "book",
        arguments: {
          guests: 4,
          price: 9.5,
          isLate: true,
          name: "42",
          tags: ["new"],
          sizes: [1, 2.5, null],
          place: { city: "Rome" },
          unknown: "5",
        },
      },
    ])
  })

  it("leaves values that fit no type as they are, for the server to refuse", async () => {
    await call("book", [
      ["guests", "4.5"],
      ["price", "much"],
      ["isLate", "yes"],
      ["place", "[1]"],
      ["name", ["a", "b"]],
      ["guests", ["7"]],
    ])
    expect(server.calls[0]?.arguments).toEqual({
      guests: 7,
      price: "much",
      isLate: "yes",
      place: "[1]",
      name: '["a","b"]',
    })
  })

  it("returns the texts of the result, mentions the rest, and returns structured content", async () => {
    expect(await call("shape")).toEqual({
      text: "One\n\n[image/png]\n\nhttps://h/a.pdf\n\nTwo",
      data: { token: "***", n: 1 },
    })
  })

  it("sends the token and the headers with every request, and ends the session", async () => {
    await call("echo")
    await vi.waitFor(() => expect(server.requests).toHaveLength(4))
    expect(server.requests.map(({ method }) => method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/call",
      "DELETE",
    ])
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({ authorization: `Bearer ${token}`, "x-team": "red-team-0123" })
    }
  })

  it("reads the list once a minute, not for every call with arguments", async () => {
    await call("tool1", [["a", "1"]])
    server.requests.length = 0
    await call("tool1", [["a", "1"]])
    expect(server.requests.map(({ method }) => method)).not.toContain("tools/list")
  })

  it("22.1 redacts the secrets that a server repeats", async () => {
    const outcome = await call("echo")
    expect(JSON.stringify(outcome)).not.toContain(token)
  })

  it("fails when the tool reports an error, in its words, for authors alone", async () => {
    expect(await call("fail")).toEqual({
      failed: true,
      description: "The tool reports an error",
      details: "No table for ***",
      isInternal: true,
    })
  })

  it("refuses what the server asks of a model or a person", async () => {
    expect(await call("ask")).toEqual({ text: "rejected,rejected,rejected" })
  })

  it("fails without a credential of the type", async () => {
    expect(await call("echo", [], "other")).toMatchObject({ failed: true, reason: "credentials" })
  })

  it("13.5 is not made to a private address", async () => {
    expect(await call("echo", [], "inside")).toMatchObject({ failed: true, reason: "blocked" })
  })
})

describe("the list of tools", () => {
  it("has all pages", async () => {
    const listed = await tools.list(open(server.url), never)
    expect(listed).toHaveLength(30)
    expect(listed).toContainEqual({
      name: "tool24",
      description: "Does tool24",
      inputSchema: { type: "object", properties: {} },
    })
  })
})

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

const listed = () => tools.list(open(hostileUrl), never)
const called = () => call("x", [], "hostile")
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
      (response) => response.writeHead(307, { location: server.url }).end(),
      "The MCP server is at an address that must not be called",
    ],
    [
      "that leads round in circles",
      (response) => response.writeHead(307, { location: hostileUrl }).end(),
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
