/** Streams the events of a chat to its client, as server-sent events. */
import { type Heard, hearChat, type Sources } from "../../chat/conversations/hearChat.ts"
import { originsOf } from "../../routers/context.ts"
import { requireMethod } from "../answer.ts"
import type { ConnectionCap } from "../connections/sockets.ts"
import type { Endpoint } from "../dispatch.ts"
import { headerOf } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"
import { sendEvents } from "./sendEvents.ts"

type EventEndpointOptions = Sources & {
  publicUrl: string
  /** Counts an open stream of an address. */
  admit: ConnectionCap
  /** The time between two keep-alive comments, 15 seconds by default. */
  heartbeatMs?: number
}

/**
 * Answers `GET /api/v1/sessions/{sessionId}/events` with named events of the chat. When the
 * awaited webhook call arrives, an event without a name has the text that the client
 * sends back as its message, and the stream ends.
 */
export function createEventEndpoint({ heartbeatMs, ...options }: EventEndpointOptions): Endpoint {
  return {
    path: /^\/api\/v[123]\/sessions\/([^/]+)\/events\/?$/,
    operation: "chat.events",
    isForChats: true,
    origins: "*",
    async answer(exchange, [, sessionId = ""]) {
      requireMethod(exchange, "GET, HEAD, OPTIONS", "This path takes GET alone")
      const release = options.admit(exchange.ip)
      const signal = exchange.abortSignal()
      const from = originsOf(options, factsOf(exchange))
      const lastId = headerOf(exchange.request, "last-event-id")
      const events = eventsOf(hearChat(options, { sessionId, lastId, signal, ...from }))
      await sendEvents(exchange, { events, signal, heartbeatMs }).finally(release)
    },
  }
}

/** As on the wire: named by type, except for the message that the client sends. */
async function* eventsOf(heard: AsyncGenerator<Heard, void>): AsyncGenerator<string, void> {
  for await (const { id, type, data } of heard) {
    const name = type === "message" ? "" : `event: ${type}\n`
    // A sign of typing comes without one: it is over once it was shown.
    const position = type === "conversation.typing" ? "" : `id: ${id}\n`
    yield type === "listening" ? `${position}\n` : `${name}${position}data: ${data}\n\n`
  }
}
