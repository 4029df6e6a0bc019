/** Performs calls of the kind `mcpTool`, and lists the tools of MCP servers, all through the network guard. */
import { LRUCache } from "lru-cache"
import { type Failure, isFailure } from "../../engine/calls.ts"
import { anySignal } from "../../lib/anySignal.ts"
import { pick } from "../../lib/foreignJson.ts"
import type { Credentials, OpenCredential } from "../credentials/credentials.ts"
import { failed, networkFailure } from "../failures.ts"
import { ProviderError } from "../models/dialogue.ts"
import { BlockedError } from "../network/addressRules.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import type { CallContext, Performer } from "../perform.ts"
import type { McpConnection, McpTool } from "./mcpConnection.ts"
import { typedArguments } from "./typedArguments.ts"

type McpDeps = { credentials: Credentials; fetch: GuardedFetch }

export type McpTools = {
  performer: Performer<"mcpTool">
  /** The tools that the server of a credential lists now. */
  list(credential: OpenCredential, signal: AbortSignal): Promise<McpTool[] | Failure>
}

/** Milliseconds for connecting, listing and calling, together. */
const maxMs = 60_000

/** How long the tools of a server are known, and how many characters of them are kept. */
const keptMs = 60_000
const maxKept = 5_000_000

export function createMcpTools({ credentials, fetch }: McpDeps): McpTools {
  const known = new LRUCache<string, McpTool[]>({
    ttl: keptMs,
    maxSize: maxKept,
    sizeCalculation: (tools) => JSON.stringify(tools).length,
  })
  const toolsOf = async (server: McpConnection, { version }: OpenCredential) => {
    const tools = await server.listTools()
    known.set(version, tools)
    return tools
  }
  return {
    async performer({ credential: asked, tool, arguments: given }, context) {
      const credential = await credentials.find(asked, context)
      if (isFailure(credential)) return credential
      return await withServer({ credential, fetch, signal: context.signal }, async (server) => {
        const isPlain = given.length === 0
        const tools = isPlain
          ? []
          : (known.get(credential.version) ?? (await toolsOf(server, credential)))
        const schema = tools.find(({ name }) => name === tool)?.inputSchema
        const { isError, text, ...result } = await server.callTool(
          tool,
          typedArguments(given, schema),
        )
        return isError ? toolFailure(text) : { text, ...result }
      })
    },
    list: (credential, signal) =>
      withServer({ credential, fetch, signal }, (server) => toolsOf(server, credential)),
  }
}

function toolFailure(text: string): Failure {
  return failed("The tool reports an error", { details: text, isInternal: true })
}

type Calling = Pick<CallContext, "signal"> & { credential: OpenCredential; fetch: GuardedFetch }

/** Connects to the server of a credential, and ends the connection with the work. */
async function withServer<Result>(
  calling: Calling,
  work: (server: McpConnection) => Promise<Result>,
): Promise<Result | Failure> {
  let server: McpConnection | undefined
  try {
    server = await connect(calling)
    return await work(server)
  } catch (error) {
    return serverFailure(error)
  } finally {
    await server?.close()
  }
}

async function connect({ credential, fetch, signal }: Calling): Promise<McpConnection> {
  const { url = "", token, headers } = credential.data as McpCredential
  // Imported on first use, because the SDK is large.
  const { connectMcp } = await import("./mcpConnection.ts")
  return await connectMcp({
    url,
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    signal: anySignal([signal, AbortSignal.timeout(maxMs)]),
    fetch: async (address, init) => {
      if (credential.refusalFor(address)) throw new BlockedError("The address is not allowed")
      return await fetch(address, init)
    },
    redact: redactionOf(credential, url),
  })
}

type McpCredential = { url?: string; token?: string; headers?: Record<string, string> }

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

const who = "The MCP server"
const unusable = `${who} gave no answer that can be used`

/** Describes an error of a connection, in words of the server where it has refused. */
function serverFailure(error: unknown): Failure {
  if (error instanceof ProviderError) {
    const { message: details, status } = error
    if (status === undefined) return failed(unusable, { details })
    const reason = status === 401 || status === 403 ? "credentials" : undefined
    return failed(`${who} refused with status ${status}`, {
      details: details || undefined,
      status,
      reason,
      isInternal: true,
    })
  }
  // Errors of the SDK, which is not loaded here.
  const { name, message } = error instanceof Error ? error : { name: "", message: "" }
  if (name === "McpError") {
    return pick(error, "code") === requestTimeout
      ? failed(`${who} did not answer in time`, { reason: "timeout" })
      : failed(`${who} refused the call`, { details: message, isInternal: true })
  }
  if (name.endsWith("ZodError") || message.startsWith("Server's protocol version")) {
    const details = "It does not speak MCP, or only an unknown version of it"
    return failed(unusable, { details })
  }
  return networkFailure(error, who)
}

/** The code of the SDK for requests without an answer. */
const requestTimeout = -32_001
