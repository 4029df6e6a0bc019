/** Streams what others do to a chat to its client, as server-sent events. */
import { once } from "node:events"
import type { SessionListeners } from "../../chat/conversations/sessionListeners.ts"
import type { ClientCall, WebhookCalls } from "../../chat/webhooks/webhookCalls.ts"
import { firstUuidAt, isUuid } from "../../ids.ts"
import { refuseMethod } from "../answer.ts"
import type { ConnectionCap } from "../connections/sockets.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** What events are served with. */
type EventEndpointOptions = {
  calls: Pick<WebhookCalls, "listen">
  sessionEvents: Pick<SessionListeners, "listen">
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
    await sendEvent(options, exchange, sessionId)
  } finally {
    release()
  }
}

async function sendEvent(
  options: EventEndpointOptions,
  exchange: Exchange,
  sessionId: string,
): Promise<void> {
  const { response } = exchange
  const left = exchange.abortSignal()
  const { origin, iframeReferrerOrigin } = factsOf(exchange)
  const last = readPosition(headerOf(exchange.request, "last-event-id"))
  const { call: first, onCall } = firstCall(left)
  const from = { origin, iframeReferrerOrigin }
  const listener = { room: sessionId, ...from, lastId: last.call, onCall, onEnd: onCall }
  const stop = await options.calls.listen(listener)
  let stopEvents = () => {}
  const heartbeat = setInterval(() => {
    // A client that does not read even these is gone.
    if (response.writableNeedDrain) response.destroy()
    else response.write(":\n\n")
  }, options.heartbeatMs ?? 15_000)
  try {
    begin(exchange)
    if (exchange.method === "HEAD") return void response.end()
    const position = { ...last }
    // With a position from the start, a client that reconnects before its first event misses nothing.
    response.write(`id: ${last.call ?? ""}/${position.event}\n\n`)
    stopEvents = options.sessionEvents.listen({
      sessionId,
      after: position.event,
      async onEvent({ id, type, data }) {
        position.event = id
        const isRead = response.write(
          `event: ${type}\nid: ${last.call ?? ""}/${id}\ndata: ${data}\n\n`,
        )
        if (lastEvents.has(type)) onCall()
        else if (!isRead) await once(response, "drain", { signal: left }).catch(() => {})
      },
    })
    const call = await first
    const event = position.event === last.event ? "" : `/${position.event}`
    response.end(call ? `id: ${call.id}${event}\ndata: ${call.text}\n\n` : undefined)
  } finally {
    clearInterval(heartbeat)
    stopEvents()
    stop()
  }
}

/** The stream ends after events of these types. */
const lastEvents: ReadonlySet<string> = new Set(["conversation.ended", "conversation.expired"])

/** By how much the clocks of two processes may differ. */
const slackMs = 2_000

/** The last call and event that a client has; a new client counts as having had all until now. */
function readPosition(lastId: string | undefined): { call: string | undefined; event: string } {
  const [call = "", event = ""] = lastId?.split("/") ?? []
  const from = isUuid(event) ? event : firstUuidAt(Date.now() - slackMs)
  return { call: call === "" ? undefined : call, event: from }
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

/** Resolves to the first call, or to undefined when the client leaves or the service stops. */
function firstCall(signal: AbortSignal) {
  let onCall: (call?: ClientCall) => void = () => {}
  const call = new Promise<ClientCall | undefined>((resolve) => {
    onCall = resolve
    signal.addEventListener("abort", () => resolve(undefined), { once: true })
    if (signal.aborted) resolve(undefined)
  })
  return { call, onCall }
}
