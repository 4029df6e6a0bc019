/** Assistants: the client of the official SDK, connected to a service. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { whenOver } from "./whenOver.ts"

type Members = Record<string, unknown>

/** An answer of a tool: what it is, the text that a model reads, and the data. */
export type Answer = { isError: boolean; text: string; data: Members; whole: Members }

/** An assistant. */
export type Assistant = {
  client: Client
  /** Calls a tool. */
  use(name: string, sent?: Members): Promise<Answer>
  /** The same, and fails unless it succeeds; returns the data. */
  get<Data = Members>(name: string, sent?: Members): Promise<Data>
}

/** Connects an assistant over HTTP, with a token. */
export async function assistantAt(address: string, token: string): Promise<Assistant> {
  const headers = { authorization: `Bearer ${token}` }
  const url = new URL("/mcp", address)
  return await assistantOver(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
}

/** Connects an assistant to a published bot, without a token. */
export async function assistantOfBot(address: string, publicId: string): Promise<Assistant> {
  return await assistantOver(
    new StreamableHTTPClientTransport(new URL(`/mcp/bots/${publicId}`, address)),
  )
}

/** Connects an assistant over any transport. */
export async function assistantOver(transport: Transport): Promise<Assistant> {
  const client = new Client({ name: "test", version: "1" })
  await client.connect(transport)
  whenOver(() => client.close())
  const use: Assistant["use"] = async (name, sent = {}) => {
    const result = (await client.callTool({ name, arguments: sent })) as CallToolResult
    const [first] = result.content
    const whole = result.structuredContent ?? {}
    return {
      isError: result.isError ?? false,
      text: first?.type === "text" ? first.text : "",
      data: (whole.data ?? {}) as Members,
      whole,
    }
  }
  const get = async <Data>(name: string, sent?: Members) => {
    const { isError, text, data } = await use(name, sent)
    if (isError) throw new Error(`${name}: ${text}`)
    return data as Data
  }
  return { client, use, get }
}
