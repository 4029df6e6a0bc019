/** Streams what others do to a chat to its client, as server-sent events. */
import { once } from "node:events"
import { type Heard, hearChat, type Sources } from "../../chat/conversations/hearChat.ts"
import { refuseMethod } from "../answer.ts"
import type { ConnectionCap } from "../connections/sockets.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** What events are served with. */
type EventEndpointOptions = Sources & {
  cap: ConnectionCap
  /** The time between two keep-alive comments, 15 seconds by default. */
  heartbeatMs?: number
}

/** How long a browser waits before it reconnects. */
const retryMs = 2_000

/**
 * Answers `GET /api/v1/sessions/{sessionId}/events` with named events of what happens to the chat. When
 * the webhook call comes for which the chat waits, an event without a name has the text that the client
 * sends back as its message, and the stream ends.
 */
export function createEventEndpoint(options: EventEndpointOptions): Endpoint {
  return {
    path: /^\/api\/v[123]\/sessions\/([^/]+)\/events\/?$/,
    operation: "chat.events",
    isOpen: true,
    answer: (exchange, [, sessionId = ""]) => open(options, exchange, sessionId),
  }
}

async function open(
  options: EventEndpointOptions,
  exchange: Exchange,
  sessionId: string,
): Promise<void> {
  if (exchange.method !== "GET" && exchange.method !== "HEAD") {
    refuseMethod(exchange, "GET, HEAD, OPTIONS", "This path takes GET alone")
  }
  const release = options.cap(exchange.ip)
  try {
    await sendEvents(options, exchange, sessionId)
  } finally {
    release()
  }
}

async function sendEvents(
  options: EventEndpointOptions,
  exchange: Exchange,
  sessionId: string,
): Promise<void> {
  const { response } = exchange
  const signal = exchange.abortSignal()
  const { origin, iframeReferrerOrigin } = factsOf(exchange)
  const lastId = headerOf(exchange.request, "last-event-id")
  const heard = hearChat(options, { sessionId, lastId, signal, origin, iframeReferrerOrigin })
  const first = await heard.next()
  const heartbeat = setInterval(() => {
    // A client that does not read even these is gone.
    if (response.writableNeedDrain) response.destroy()
    else response.write(":\n\n")
  }, options.heartbeatMs ?? 15_000)
  try {
    begin(exchange)
    if (exchange.method === "HEAD") return void response.end()
    for (let step = first; !step.done; step = await heard.next()) {
      const isRead = response.write(textOf(step.value))
      if (!isRead) await once(response, "drain", { signal }).catch(() => {})
    }
    response.end()
  } finally {
    clearInterval(heartbeat)
    await heard.return()
  }
}

/** Events have their types as names; what the client sends as its message has none. */
function textOf({ id, type, data }: Heard): string {
  if (type === "listening") return `id: ${id}\n\n`
  const name = type === "message" ? "" : `event: ${type}\n`
  return `${name}id: ${id}\ndata: ${data}\n\n`
}

function begin({ response, headers }: Exchange): void {
  headers["content-type"] = "text/event-stream; charset=utf-8"
  // Proxies must pass each event on at once.
  headers["x-accel-buffering"] = "no"
  // A connection kept alive would hold up a service that stops.
  headers.connection = "close"
  response.writeHead(200, headers)
  response.write(`retry: ${retryMs}\n\n`)
}
