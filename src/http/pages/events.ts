/** Streams what happens to a chat from outside to its client, as server-sent events. */
import type { ServerResponse } from "node:http"
import type { SessionListeners } from "../../chat/conversations/sessionListeners.ts"
import type { ClientCall, WebhookCalls } from "../../chat/webhooks/webhookCalls.ts"
import { AppError } from "../../errors.ts"
import { firstUuidAt, isUuid } from "../../ids.ts"
import type { ConnectionCap } from "../connections/sockets.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** What events are served with. */
type EventEndpointOptions = {
  calls: Pick<WebhookCalls, "listen">
  told: Pick<SessionListeners, "listen">
  cap: ConnectionCap
  /** Time between two keep-alive comments, 15 seconds by default. */
  heartbeatMs?: number
}

/** How long a browser waits before it reconnects. */
const retryMs = 2_000

/**
 * Answers `GET /api/v1/sessions/{sessionId}/events`: named events of what happens to the chat, and one
 * without a name with the text that the client sends back as its message, then the end. That comes
 * only once the chat waits for a call.
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
  const last = readPosition(headerOf(exchange.request, "last-event-id"))
  const { call: first, onCall } = firstCall(exchange.abortSignal())
  const from = { origin, iframeReferrerOrigin }
  const listener = { room: sessionId, ...from, lastId: last.call, onCall, onEnd: onCall }
  const stop = await options.calls.listen(listener)
  let stopTelling = () => {}
  const heartbeat = setInterval(() => {
    // A client that does not even read these is gone.
    if (response.writableNeedDrain) response.destroy()
    else response.write(":\n\n")
  }, options.heartbeatMs ?? 15_000)
  try {
    begin(exchange)
    const position = { ...last }
    // A client that reconnects before its first event has missed nothing.
    response.write(`id: ${last.call ?? ""}/${position.event}\n\n`)
    stopTelling = options.told.listen({
      sessionId,
      after: position.event,
      async onEvent({ id, type, data }) {
        position.event = id
        const isRead = response.write(
          `event: ${type}\nid: ${last.call ?? ""}/${id}\ndata: ${data}\n\n`,
        )
        if (lastEvents.has(type)) onCall()
        else if (!isRead) await drained(response)
      },
    })
    const call = await first
    const heard = position.event === last.event ? "" : `/${position.event}`
    response.end(call ? `id: ${call.id}${heard}\ndata: ${call.text}\n\n` : undefined)
  } finally {
    clearInterval(heartbeat)
    stopTelling()
    stop()
  }
}

/** The types after which the stream ends. */
const lastEvents: ReadonlySet<string> = new Set(["conversation.ended", "conversation.expired"])

/** Clocks of processes differ. */
const slackMs = 2_000

/** What a client knows: the call that it got last, and the event; a new one knows what was until now. */
function readPosition(lastId: string | undefined): { call: string | undefined; event: string } {
  const [call = "", event = ""] = lastId?.split("/") ?? []
  const from = isUuid(event) ? event : firstUuidAt(Date.now() - slackMs)
  return { call: call === "" ? undefined : call, event: from }
}

/** Resolves once the client has read what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      response.off("drain", end).off("close", end)
      resolve()
    }
    response.once("drain", end).once("close", end)
    if (response.destroyed) end()
  })
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
