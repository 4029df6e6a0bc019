/** parley mcp */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { tell } from "./command.ts"
import { type Service, serviceCommand } from "./withService.ts"

export const mcpCommand = serviceCommand({
  name: "mcp",
  description:
    "Let an assistant that speaks MCP on standard input and output read, edit, check, test, preview and " +
    "publish bots, and read results",
  args: {},
  run: async (_, service) => {
    // Other commands do without the protocol.
    const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js")
    const ended = new Promise((resolve) => process.stdin.once("end", resolve))
    const settled = await passOn(new StdioServerTransport(), service)
    await ended
    await settled()
  },
})

/** Passes messages on to the service, and its answers back; resolves to what awaits those under way. */
async function passOn(transport: Transport, service: Service): Promise<() => Promise<void>> {
  const underWay = new Set<Promise<void>>()
  const send = async (message: JSONRPCMessage) => {
    const answer = await answerOf(message, service).catch((error: Error) => {
      tell(error.message)
      return refusalOf(message, error)
    })
    if (answer !== undefined) await transport.send(answer)
  }
  transport.onmessage = (message) => {
    const sending = send(message).finally(() => underWay.delete(sending))
    underWay.add(sending)
  }
  transport.onerror = (error) => tell(`A message could not be read: ${error.message}`)
  await transport.start()
  return async () => void (await Promise.all(underWay))
}

async function answerOf(message: JSONRPCMessage, { url, token }: Service) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const address = `${url.replace(/\/+$/, "")}/mcp`
  const sent = { method: "POST", headers, body: JSON.stringify(message) }
  const response = await fetch(address, sent).catch(() => {
    throw new Error(`The service at ${url} does not answer: start it, or give another --url.`)
  })
  const text = await response.text()
  if (text === "") return undefined
  const answer = read(text)
  if ("jsonrpc" in answer) return answer as JSONRPCMessage
  const words = typeof answer.message === "string" ? answer.message : "it does not speak MCP"
  throw new Error(`The service at ${url} refused a message (status ${response.status}): ${words}.`)
}

function read(text: string): { message?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The error that answers a request; undefined for notifications. */
function refusalOf(request: JSONRPCMessage, { message }: Error): JSONRPCMessage | undefined {
  if (!("id" in request && "method" in request)) return undefined
  return { jsonrpc: "2.0", id: request.id, error: { code: -32_000, message } }
}
