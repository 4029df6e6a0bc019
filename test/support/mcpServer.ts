/** An MCP server for tests, by the official SDK over HTTP, with a session for each client. */
import { randomUUID } from "node:crypto"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  ResultSchema,
  type ServerRequest,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js"
import { whenOver } from "./whenOver.ts"

type Called = { name: string; arguments: unknown }

/** Asks the client something while it waits for the call. */
type AskClient = (method: string) => Promise<unknown>

type McpServerOptions = {
  tools: Tool[]
  /** Answers a call. Absent: with its arguments as text. */
  call?: (called: Called, ask: AskClient) => CallToolResult | Promise<CallToolResult>
  /** Tools on each page of the list; absent: all. */
  pageSize?: number
}

/** Starts the server. */
export async function startMcpServer({ tools, call, pageSize = tools.length }: McpServerOptions) {
  const calls: Called[] = []
  /** Methods of HTTP and of the protocol, in the order in which they came. */
  const requests: { method: string; headers: IncomingHttpHeaders }[] = []
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const open = async () => {
    const server = new Server({ name: "tools", version: "1" }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      const from = Number(params?.cursor ?? 0)
      const next = from + pageSize
      const isLast = next >= tools.length
      return { tools: tools.slice(from, next), ...(!isLast && { nextCursor: `${next}` }) }
    })
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendRequest }) => {
      const called = { name: params.name, arguments: params.arguments }
      calls.push(called)
      const ask: AskClient = (method) =>
        sendRequest({ method, params: {} } as ServerRequest, ResultSchema)
      if (call) return await call(called, ask)
      return { content: [{ type: "text", text: JSON.stringify(called.arguments) }] }
    })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport as Parameters<Server["connect"]>[0])
    return transport
  }
  const http = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body = text === "" ? undefined : (JSON.parse(text) as { method?: string })
    requests.push({ method: body?.method ?? request.method ?? "", headers: request.headers })
    const id = request.headers["mcp-session-id"]
    const transport = typeof id === "string" ? sessions.get(id) : await open()
    if (transport) await transport.handleRequest(request, response, body)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  whenOver(() => {
    http.closeAllConnections()
    http.close()
  })
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    host: `127.0.0.1:${port}`,
    calls,
    requests,
    sessions,
  }
}

/** A tool with these arguments. */
export const toolOf = (name: string, properties: Record<string, object> = {}): Tool => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object", properties },
})
