/** Calls tools of MCP servers through the network guard, for blocks and for models, and lists them for editors. */
import { LRUCache } from "lru-cache"
import { type Credential, type Failure, isFailure } from "../../engine/calls.ts"
import { anySignal } from "../../lib/anySignal.ts"
import type { Credentials, OpenCredential } from "../credentials/credentials.ts"
import { failed } from "../failures.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import type { CallContext, Performer } from "../perform.ts"
import type { McpConnection, McpResult, McpTool } from "./mcpConnection.ts"
import { mcpFailure } from "./mcpFailure.ts"
import { typedArguments } from "./typedArguments.ts"

type McpDeps = { credentials: Credentials; fetch: GuardedFetch }

/** A server, to which a connection is made as soon as one is needed. */
export type McpServer = {
  /** Its tools, as it listed them within the last minute. */
  tools(): Promise<McpTool[] | Failure>
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<McpResult | Failure>
  close(): Promise<void>
}

export type McpTools = {
  performer: Performer<"mcpTool">
  /** Opens the server of a credential for so many milliseconds. */
  open(asked: Credential, context: CallContext, maxMs: number): Promise<McpServer | Failure>
  /** The tools that the server of a credential lists now. */
  list(credential: OpenCredential, signal: AbortSignal): Promise<McpTool[] | Failure>
}

/** Milliseconds of a block for connecting, listing and calling, together. */
const maxCallMs = 60_000

/** How long the tools of a server are known, and how many characters of them are kept. */
const keptMs = 60_000
const maxKept = 5_000_000

export function createMcpTools({ credentials, fetch }: McpDeps): McpTools {
  const known = new LRUCache<string, McpTool[]>({
    ttl: keptMs,
    maxSize: maxKept,
    sizeCalculation: (tools) => JSON.stringify(tools).length,
  })
  const serverOf = (credential: OpenCredential, signal: AbortSignal): McpServer => {
    let connection: Promise<McpConnection> | undefined
    const attempt = async <Result>(work: (connected: McpConnection) => Promise<Result>) => {
      try {
        connection ??= connect({ credential, fetch, signal })
        return await work(await connection)
      } catch (error) {
        return mcpFailure(error)
      }
    }
    return {
      tools: async () =>
        known.get(credential.version) ??
        (await attempt(async (connected) => {
          const tools = await connected.listTools()
          known.set(credential.version, tools)
          return tools
        })),
      call: (tool, args) => attempt((connected) => connected.callTool(tool, args)),
      close: async () => {
        const connected = await connection?.catch(() => undefined)
        await connected?.close()
      },
    }
  }
  const open: McpTools["open"] = async (asked, context, maxMs) => {
    const credential = await credentials.find(asked, context)
    if (isFailure(credential)) return credential
    return serverOf(credential, anySignal([context.signal, AbortSignal.timeout(maxMs)]))
  }
  return {
    open,
    async performer({ credential, tool, arguments: given }, context) {
      const server = await open(credential, context, maxCallMs)
      if (isFailure(server)) return server
      try {
        const tools = given.length === 0 ? [] : await server.tools()
        if (isFailure(tools)) return tools
        const schema = tools.find(({ name }) => name === tool)?.inputSchema
        const result = await server.call(tool, typedArguments(given, schema))
        if (isFailure(result)) return result
        const { isError, ...answer } = result
        return isError ? toolFailure(answer.text) : answer
      } finally {
        await server.close()
      }
    },
    async list(credential, signal) {
      known.delete(credential.version)
      const server = serverOf(credential, signal)
      const tools = await server.tools()
      await server.close()
      return tools
    },
  }
}

function toolFailure(details: string): Failure {
  return failed("The tool reports an error", { details, isInternal: true })
}

type Place = { credential: OpenCredential; fetch: GuardedFetch; signal: AbortSignal }

type McpCredential = { url?: string; token?: string; headers?: Record<string, string> }

async function connect({ credential, fetch, signal }: Place): Promise<McpConnection> {
  const { url = "", token, headers } = credential.data as McpCredential
  // Imported on first use, because the SDK is large.
  const { connectMcp } = await import("./mcpConnection.ts")
  return await connectMcp({
    url,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    signal,
    fetch,
    redact: redactionOf(credential, url),
  })
}

/** Redacts all secrets, also the parts of an address that may be a key: refusals like to name the path. */
function redactionOf(credential: OpenCredential, url: string): (text: string) => string {
  const { pathname, searchParams } = new URL(url)
  const keys = [...pathname.split("/"), ...searchParams.values()].filter(
    (part) => part.length >= minKeyLength,
  )
  return (text) => keys.reduce((left, key) => left.replaceAll(key, "***"), credential.redact(text))
}

/** Shorter parts are words, such as `mcp`. */
const minKeyLength = 12
