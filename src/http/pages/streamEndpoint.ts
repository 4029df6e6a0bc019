/** Streams the answer of a model to a client, in a chunked body. */
import { streamMessage } from "../../chat/streamMessage.ts"
import { createContext, type Services } from "../../routers/context.ts"
import { openStream } from "../../routers/openStream.ts"
import { passedOn, requireMethod, sendStream } from "../answer.ts"
import { refuseBody } from "../bodies/refuseBody.ts"
import type { Endpoint } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { factsOf } from "../rest/rest.ts"

/** Answers `POST /api/v1/sessions/{sessionId}/streamMessage`, under later version prefixes too. */
export function createStreamEndpoint(services: Services): Endpoint {
  return {
    path: /^\/api\/v[123]\/sessions\/([^/]+)\/streamMessage\/?$/,
    operation: "chat.stream",
    isForChats: true,
    origins: "*",
    answer: (exchange, [, sessionId = ""]) => open(services, exchange, sessionId),
  }
}

async function open(services: Services, exchange: Exchange, sessionId: string): Promise<void> {
  // The body is not needed: the flow asks the question.
  refuseBody(exchange)
  requireMethod(exchange, "POST, OPTIONS", "This path takes POST alone")
  const context = createContext(services, factsOf(exchange))
  await context.limit("continueChat", sessionId)
  const { chat, live, origin, iframeReferrerOrigin, onlyBots } = context
  const { signal, close } = openStream(context, exchange.abortSignal())
  try {
    const request = { sessionId, signal, origin, iframeReferrerOrigin, onlyBots }
    const parts = linesOf(await streamMessage({ chat, models: live.models }, request))
    const headers = { ...passedOn, "content-type": "text/plain; charset=utf-8" }
    await sendStream(exchange, { parts, headers })
  } finally {
    close()
  }
}

/** One part per line: a code, a colon, JSON, as the stream readers of clients expect it. */
async function* linesOf(parts: Awaited<ReturnType<typeof streamMessage>>) {
  for await (const { code, value } of parts) yield `${code}:${JSON.stringify(value)}\n`
}
