/** Tools of MCP servers: the calls that a server gets, and what becomes of its answers. */
import { beforeEach, describe, expect, it, vi } from "vitest"
import { createOpenCredential } from "../../src/effects/credentials/credentials.ts"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import type { Call } from "../../src/engine/calls.ts"
import { startMcpServer, toolOf } from "../support/mcpServer.ts"
import { whenOver } from "../support/whenOver.ts"
import { callContext } from "./peer.ts"
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

const outbound = openOutbound({ allowHosts: [server.host] })
whenOver(() => outbound.close())
const dataOf = (url: string) => ({ url, token, headers: { "X-Team": "red-team-0123" } })
const data = dataOf(server.url)
const tools = createMcpTools({
  fetch: outbound.fetch,
  credentials: wallet({
    c: { type: "mcp", data },
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
