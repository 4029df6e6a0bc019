/** Fakes a service of the outside world with an HTTP server on the loopback interface. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { fetch } from "undici"
import type { GuardedFetch } from "../../src/effects/network/guardedFetch.ts"
import type { CallContext } from "../../src/effects/perform.ts"
import { userParty } from "../../src/lib/party.ts"
import { whenOver } from "../support/whenOver.ts"

/** A request that the peer received. */
export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  text: string
  /** The parsed body; undefined if it is not JSON. */
  json: unknown
}

/** A peer that is listening. */
export type Peer = {
  url: string
  /** The requests received, oldest first. */
  received: Received[]
  /** Sets the next answers, which are used in order; the last one is repeated. */
  answers(...answers: Answer[]): void
}

/** How one request is answered. */
export type Answer = (response: ServerResponse, request: Received) => void

/** Starts a peer for the tests of a file. */
export async function startPeer(): Promise<Peer> {
  const received: Received[] = []
  let waiting: Answer[] = []
  // A peer that closes a connection just as it is used again would fail a call on a busy machine.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString()
      const { method = "", url = "", headers } = request
      const got = { method, path: url, headers, text, json: parse(text) }
      received.push(got)
      const answer = waiting.length > 1 ? waiting.shift() : waiting[0]
      if (answer) answer(response, got)
      else response.writeHead(501).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  whenOver(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answers: (...answers) => {
      waiting = answers
      received.length = 0
    },
  }
}

/** Answers with JSON. */
export function json(data: unknown, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data))
  }
}

/** Answers with server-sent events, each written separately. */
export function events(...data: unknown[]): Answer {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const each of data) {
      response.write(`data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }
}

/** Makes requests without the guard, because peers are on the loopback interface. */
export const plainFetch: GuardedFetch = (url, init) => fetch(url, init)

/** The context of a call of a live chat. */
export function callContext(parts: Partial<CallContext> = {}): CallContext {
  const context = {
    party: userParty("user1"),
    workspaceId: "ws1",
    botId: "bot1",
    resultId: "0199aaaa-0000-7000-8000-00000000aaaa",
    sessionId: "session1",
    isPreview: false,
    isRestricted: false,
    idempotencyKey: "session1-1-0",
    turnKey: "session1-1",
    signal: new AbortController().signal,
    ...parts,
  }
  const { botId, resultId } = context
  return { fileOwners: [{ botId, resultId }], ...context }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
