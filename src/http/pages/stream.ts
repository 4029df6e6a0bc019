/** Streams the answer of a model to a client, in a chunked body. */
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { type StreamMessageRequest, streamMessage } from "../../chat/streamMessage.ts"
import type { Models } from "../../effects/models/models.ts"
import { AppError } from "../../errors.ts"
import { type Context, createContext, type Services } from "../../routers/context.ts"
import { refuseBody } from "../bodies/refuseBody.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** What streams are served with. */
type StreamEndpointOptions = {
  models: Pick<Models, "stream">
  services: Services
  /** Aborts when answers are to end at once, well-formed, as far as they have come. */
  abortSignal: AbortSignal
}

/** Answers `POST /api/v1/sessions/{sessionId}/streamMessage`, under later version prefixes too. */
export function createStreamEndpoint(options: StreamEndpointOptions): Endpoint {
  return {
    path: /^\/api\/v[123]\/sessions\/([^/]+)\/streamMessage\/?$/,
    operation: "chat.stream",
    isOpen: true,
    answer: (exchange, [, sessionId = ""]) => open(options, exchange, sessionId),
  }
}

async function open(
  { models, services, abortSignal }: StreamEndpointOptions,
  exchange: Exchange,
  sessionId: string,
): Promise<void> {
  // The body is not needed: the flow asks the question.
  refuseBody(exchange)
  if (exchange.method !== "POST") {
    exchange.headers.allow = "POST, OPTIONS"
    throw new AppError("METHOD_NOT_SUPPORTED", "This path takes POST alone")
  }
  const context = createContext(services, factsOf(exchange))
  await context.limit("continueChat", sessionId)
  const release = context.live.admit(exchange.ip)
  const left = exchange.abortSignal()
  try {
    await abortedByAny([abortSignal, left], (signal) =>
      answer(exchange, { models, context, sessionId, left, signal }),
    )
  } finally {
    release()
  }
}

/** `AbortSignal.any` would hold on to every stream for as long as the first signal lives. */
async function abortedByAny(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const any = new AbortController()
  const abort = () => any.abort()
  for (const signal of signals) {
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort)
  }
  try {
    await work(any.signal)
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", abort)
  }
}

type StreamRequest = {
  models: Pick<Models, "stream">
  context: Context
  sessionId: string
  /** Aborts when the client leaves. */
  left: AbortSignal
  /** Aborts when the provider can stop. */
  signal: AbortSignal
}

async function answer(exchange: Exchange, stream: StreamRequest): Promise<void> {
  const { models, context, sessionId, left, signal } = stream
  const { chat, origin, iframeReferrerOrigin } = context
  const request: StreamMessageRequest = { sessionId, origin, iframeReferrerOrigin, signal }
  const parts = await streamMessage({ chat, models }, request)
  const { response, headers } = exchange
  headers["content-type"] = "text/plain; charset=utf-8"
  // Proxies must pass on each line at once.
  headers["x-accel-buffering"] = "no"
  response.writeHead(200, headers)
  try {
    // One part per line: a code, a colon, JSON (the protocol of the clients' stream readers).
    for await (const { code, value } of parts) {
      await write(response, `${code}:${JSON.stringify(value)}\n`, left)
    }
    response.end()
  } catch (error) {
    // The status has gone: only a broken connection can show that the answer is incomplete.
    response.destroy()
    if (!left.aborted) context.log.error({ err: error }, "A stream broke off")
  }
}

/** Waits for slow readers instead of buffering. */
async function write(response: ServerResponse, line: string, signal: AbortSignal): Promise<void> {
  if (response.write(line)) return
  await once(response, "drain", { signal })
}
