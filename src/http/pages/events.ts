/** Tells the client of a waiting chat of a call from outside, by server-sent events. */
import type { ClientCall, WebhookCalls } from "../../chat/webhooks/webhookCalls.ts"
import { AppError } from "../../errors.ts"
import type { ConnectionCap } from "../connections/sockets.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** What events are served with. */
export type EventEndpointOptions = {
  calls: Pick<WebhookCalls, "listen">
  cap: ConnectionCap
  /** Time between two keep-alive comments, 15 seconds by default. */
  heartbeatMs?: number
}

/** How long a browser waits before it reconnects. */
const retryMs = 2_000

/**
 * Answers `GET /api/v1/sessions/{sessionId}/events`: one event with the text that the client sends
 * back as its message, then the end. No event comes before the chat waits for a call.
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
  if (exchange.method !== "GET") {
    exchange.headers.allow = "GET, OPTIONS"
    throw new AppError("METHOD_NOT_SUPPORTED", "This path takes GET alone")
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
  const { origin, iframeReferrerOrigin } = factsOf(exchange)
  const lastId = headerOf(exchange.request, "last-event-id")
  const { call: first, onCall } = firstCall(exchange.abortSignal())
  const from = { origin, iframeReferrerOrigin }
  const listener = { room: sessionId, ...from, lastId, onCall, onEnd: onCall }
  const stop = await options.calls.listen(listener)
  const heartbeat = setInterval(() => {
    // A client that does not even read these is gone.
    if (response.writableNeedDrain) response.destroy()
    else response.write(":\n\n")
  }, options.heartbeatMs ?? 15_000)
  try {
    begin(exchange)
    const call = await first
    response.end(call ? `id: ${call.id}\ndata: ${call.text}\n\n` : undefined)
  } finally {
    clearInterval(heartbeat)
    stop()
  }
}

function begin({ response, headers }: Exchange): void {
  headers["content-type"] = "text/event-stream; charset=utf-8"
  // Proxies must pass on each event at once.
  headers["x-accel-buffering"] = "no"
  // Kept alive, the connection would hold up a service that stops.
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
