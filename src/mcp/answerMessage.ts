/** Answers one message of JSON-RPC: no session is kept. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"

/** A message, and the version of the protocol that its header names. */
export type Message = { body: unknown; version?: string | undefined }

/** Lets a server of its own answer a message, as JSON. */
export async function answerMessage(server: Server, { body, version }: Message): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(requestOf(version), { parsedBody: body })
  } finally {
    await server.close()
  }
}

/** Only servers that ask clients for input need one. */
export const noValidator = {
  getValidator: () => () => {
    throw new Error("Clients are asked for no input")
  },
}

/** The request of a message: its body was read before, and the answer is always JSON. */
function requestOf(version: string | undefined): Request {
  return new Request("http://mcp.invalid/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(version !== undefined && { "mcp-protocol-version": version }),
    },
  })
}
