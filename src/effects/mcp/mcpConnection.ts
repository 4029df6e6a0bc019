/** A connection to an MCP server, by the official SDK: reads its tools and calls them. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js"
import type { McpToolAnswer } from "../../engine/calls.ts"
import { cut } from "../../lib/cut.ts"
import { pick, pickList, pickText } from "../../lib/foreignJson.ts"
import { isMembers } from "../../lib/json.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import { ProviderError } from "../models/dialogue.ts"
import { TooLargeError } from "../network/outbound.ts"
import { createMcpTransport } from "./mcpTransport.ts"

/** A tool as its server describes it. */
export type McpTool = {
  name: string
  title?: string
  description?: string
  /** JSON Schema of an object. */
  inputSchema: object
}

/** The result of a tool; `isError`: the text says why it failed. */
export type McpResult = McpToolAnswer & { isError: boolean }

export type McpConnection = {
  /** The first tools that the server lists. Throws an error of the network, the protocol or the server. */
  listTools(): Promise<McpTool[]>
  /** Throws the same. */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<McpResult>
  close(): Promise<void>
}

/** Max tools of a server that are known, and pages on which it may list them. */
export const maxTools = 200
const maxPages = 10

/** Max characters of parts of a tool; a larger schema counts as unknown. */
const maxName = 128
const maxDescription = 2_000
const maxSchema = 20_000

/** Max characters of the text of a result, half of what a chat may hold. */
const maxText = 500_000

/** Requests end with the signal of the connection, which comes first. */
const options = { timeout: 300_000 }

/** Connects. Throws an error of the network, the protocol or the server. */
export async function connectMcp(
  place: Parameters<typeof createMcpTransport>[0],
): Promise<McpConnection> {
  const client = new Client(
    { name: "Parley", version: "1" },
    // No capabilities: the SDK refuses to ask the user or the model for a server. Schemas are never compiled.
    { capabilities: {}, jsonSchemaValidator: { getValidator: refuseSchema } },
  )
  await client.connect(createMcpTransport(place), options)
  return {
    async listTools() {
      const tools: McpTool[] = []
      let cursor: string | undefined
      for (let page = 0; page < maxPages && tools.length < maxTools; page++) {
        const params = cursor === undefined ? {} : { cursor }
        const listed = await client.request({ method: "tools/list", params }, ResultSchema, options)
        tools.push(...pickList(listed, "tools").flatMap(toolOf))
        cursor = pickText(listed, "nextCursor")
        if (!cursor) break
      }
      return tools.slice(0, maxTools)
    },
    async callTool(name, args) {
      const params = { name, arguments: args }
      const result = await client.request({ method: "tools/call", params }, ResultSchema, options)
      const text = pickList(result, "content").map(wordsOf).join("\n\n")
      if (text.length > maxText) throw new TooLargeError("The result is too large")
      const data = pick(result, "structuredContent")
      const isError = pick(result, "isError") === true
      return { text, isError, ...(isMembers(data) && { data }) }
    },
    close: () => client.close(),
  }
}

function refuseSchema(): never {
  throw new ProviderError("Schemas of servers are not compiled")
}

/** What is known of a tool; nothing of one that has no usable name. */
function toolOf(listed: unknown): McpTool[] {
  const name = pickText(listed, "name") ?? ""
  if (name === "" || name.length > maxName) return []
  const schema = pick(listed, "inputSchema")
  const isKnown = isMembers(schema) && JSON.stringify(schema).length <= maxSchema
  const title = pickText(listed, "title") ?? pickText(listed, "annotations", "title") ?? ""
  const description = cut(pickText(listed, "description") ?? "", maxDescription)
  const inputSchema = isKnown ? schema : { type: "object" }
  return [{ name, ...nonEmpty({ title: cut(title), description }), inputSchema }]
}

/** A part of a result as text: pictures and recordings are only mentioned. */
function wordsOf(part: unknown): string {
  const text = pickText(part, "text") ?? pickText(part, "resource", "text")
  if (text !== undefined) return text
  const uri = pickText(part, "uri") ?? pickText(part, "resource", "uri")
  return uri ?? `[${cut(pickText(part, "mimeType") ?? pickText(part, "type") ?? "unknown")}]`
}
