/** Streams the answer of a model to a client, in a chunked body. */
import { type StreamMessageRequest, streamMessage } from "../../chat/streamMessage.ts"
import type { Models } from "../../effects/models/models.ts"
import { type Context, createContext, type Services } from "../../routers/context.ts"
import { refuseMethod, sendStream } from "../answer.ts"
import { refuseBody } from "../bodies/refuseBody.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** What streams are served with. */
type StreamEndpointOptions = {
  models: Pick<Models, "stream">
  services: Services
  /** Aborts when the service stops; answers then end where they are, well-formed. */
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
    refuseMethod(exchange, "POST, OPTIONS", "This path takes POST alone")
  }
  const context = createContext(services, factsOf(exchange))
  await context.limit("continueChat", sessionId)
  const release = context.live.admit(exchange.ip)
  const left = exchange.abortSignal()
  try {
    await abortedByAny([abortSignal, left], (signal) =>
      answer(exchange, { models, context, sessionId, signal }),
    )
  } finally {
    release()
  }
}

/** `AbortSignal.any` would keep every stream alive for as long as the first signal lives. */
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
  /** Aborts when the provider can stop. */
  signal: AbortSignal
}

async function answer(exchange: Exchange, stream: StreamRequest): Promise<void> {
  const { models, context, sessionId, signal } = stream
  const { chat, origin, iframeReferrerOrigin } = context
  const request: StreamMessageRequest = { sessionId, origin, iframeReferrerOrigin, signal }
  const parts = await streamMessage({ chat, models }, request)
  // One part per line: a code, a colon, JSON, as the stream readers of clients expect it.
  const lines = async function* () {
    for await (const { code, value } of parts) yield `${code}:${JSON.stringify(value)}\n`
  }
  exchange.headers["content-type"] = "text/plain; charset=utf-8"
  await sendStream(exchange, lines(), context.log)
}
