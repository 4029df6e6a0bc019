/** Streams what others do to a chat to its client, as server-sent events. */
import { type Heard, hearChat, type Sources } from "../../chat/conversations/hearChat.ts"
import { originsOf } from "../../routers/context.ts"
import { refuseMethod } from "../answer.ts"
import type { ConnectionCap } from "../connections/sockets.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"
import { sendEvents } from "./sendEvents.ts"

/** What events are served with. */
type EventEndpointOptions = Sources & {
  publicUrl: string
  /** Counts an open stream of an address. */
  admit: ConnectionCap
  /** The time between two keep-alive comments, 15 seconds by default. */
  heartbeatMs?: number
}

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
  const release = options.admit(exchange.ip)
  const signal = exchange.abortSignal()
  const from = originsOf(options, factsOf(exchange))
  const lastId = headerOf(exchange.request, "last-event-id")
  const heard = hearChat(options, { sessionId, lastId, signal, ...from })
  try {
    await sendEvents(exchange, {
      events: eventsOf(heard),
      signal,
      heartbeatMs: options.heartbeatMs,
    })
  } finally {
    release()
  }
}

/** What a client hears, as it is on the wire. */
async function* eventsOf(heard: AsyncGenerator<Heard, void>): AsyncGenerator<string, void> {
  for await (const each of heard) yield textOf(each)
}

/** Events have their types as names; what the client sends as its message has none. */
function textOf({ id, type, data }: Heard): string {
  if (type === "listening") return `id: ${id}\n\n`
  const name = type === "message" ? "" : `event: ${type}\n`
  return `${name}id: ${id}\ndata: ${data}\n\n`
}
