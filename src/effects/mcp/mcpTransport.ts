/**
 * Streamable HTTP of the Model Context Protocol, for servers that nothing is known of. The SDK's own transport
 * waits for ever for a stream that ends early, reconnects as often as a server wishes, listens besides, and
 * searches a long line again for each piece of it.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { Headers, type Response } from "undici"
import { anySignal } from "../../lib/anySignal.ts"
import { isMembers, mapTexts } from "../../lib/json.ts"
import { ProviderError } from "../models/dialogue.ts"
import { parseBounded, readLines } from "../models/eventStream.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import { TooLargeError } from "../network/outbound.ts"

type McpPlace = {
  url: string
  /** Sent with every request: the secrets of the credential. */
  headers: Readonly<Record<string, string>>
  /** Of the whole connection. */
  signal: AbortSignal
  fetch: GuardedFetch
  /** Redacts secrets, which servers like to repeat. */
  redact(text: string): string
}

/** Of one connection, together. */
const maxBytes = 2_000_000
const maxRequests = 60
const maxMessages = 1_000

/** Max members and items of an answer; of the first one, which the SDK validates as a whole. */
const maxValues = 20_000
const maxGreeting = 1_000

const maxSessionId = 1_000
const maxRefusal = 1_000

/** How long a server may take to end a session, for which nothing waits. */
const endMs = 5_000

/** Opens a connection. Closing it ends the session at the server. */
export function createMcpTransport(place: McpPlace): Transport {
  const { url, redact } = place
  let sessionId: string | undefined
  let version: string | undefined
  let leftBytes = maxBytes
  let requests = 0
  let messages = 0
  const closed = new AbortController()
  const signal = anySignal([place.signal, closed.signal])

  const request = async (method: "POST" | "DELETE", body: string | null, until: AbortSignal) => {
    const headers = new Headers(place.headers)
    if (body !== null) headers.set("content-type", "application/json")
    headers.set("accept", "application/json, text/event-stream")
    if (sessionId !== undefined) headers.set("mcp-session-id", sessionId)
    if (version !== undefined) headers.set("mcp-protocol-version", version)
    const bounds = { maxBytes, signal: until, staysOnOrigin: true }
    return await place.fetch(url, { method, headers, body, ...bounds })
  }
  async function* counted({ body }: Response): AsyncGenerator<Uint8Array> {
    for await (const chunk of body ?? []) {
      leftBytes -= chunk.byteLength
      if (leftBytes < 0) throw new TooLargeError("The answers are too large")
      yield chunk
    }
  }
  const textOf = async (response: Response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of counted(response)) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  const read = (json: string, maxValues: number): JSONRPCMessage[] => {
    const data = parseBounded(json, maxValues)
    // Some servers answer in batches, as an early version of the protocol has it.
    const all = (Array.isArray(data) ? data : [data]).filter(isMembers)
    messages += all.length
    if (messages > maxMessages) throw new ProviderError("The answer has too many messages")
    return all.map((message) => mapTexts(message, redact) as JSONRPCMessage)
  }
  async function* messagesIn(response: Response, most: number): AsyncGenerator<JSONRPCMessage> {
    const type = response.headers.get("content-type") ?? ""
    if (!/^\s*text\/event-stream/i.test(type)) {
      yield* read(await textOf(response), most)
      return
    }
    for await (const data of eventsIn(counted(response))) yield* read(data, most)
  }

  const transport: Transport = {
    async start() {},
    async send(message) {
      // What the SDK answers to a server is sent beside the request that waits.
      if (++requests > maxRequests) closed.abort(new ProviderError("The server asks too often"))
      const response = await request("POST", JSON.stringify(message), signal)
      const session = response.headers.get("mcp-session-id")
      if (session !== null && session.length <= maxSessionId) sessionId = session
      if (!response.ok) {
        const words = redact(await textOf(response)).slice(0, maxRefusal)
        throw new ProviderError(words, { status: response.status })
      }
      if (!("method" in message && "id" in message)) {
        await response.body?.cancel()
        return
      }
      const most = message.method === "initialize" ? maxGreeting : maxValues
      for await (const received of messagesIn(response, most)) {
        transport.onmessage?.(received)
        // Leaving the loop cancels the rest.
        if (!("method" in received) && "id" in received && received.id === message.id) return
      }
      throw new ProviderError("The answer broke off")
    },
    setProtocolVersion(agreed) {
      version = agreed
    },
    async close() {
      closed.abort()
      transport.onclose?.()
      if (sessionId === undefined) return
      request("DELETE", null, AbortSignal.timeout(endMs))
        .then(({ body }) => body?.cancel())
        // The server ends it by itself, sooner or later.
        .catch(() => {})
    },
  }
  return transport
}

/** The data of each event (HTML standard, section 9.2). */
async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const lines of readLines(chunks)) {
    for (const line of lines) {
      const text = line.replace(/\r$/, "")
      if (text.startsWith("data:")) data.push(text.slice("data:".length).replace(/^ /, ""))
      if (text !== "") continue
      const whole = data.join("\n")
      data = []
      // Servers begin streams with an event that only has an id.
      if (whole !== "") yield whole
    }
  }
}
