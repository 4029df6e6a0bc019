/** Logs failed requests: bugs as errors, refusals for debugging. */
import type { Refusal } from "../routers/refusal.ts"
import type { Log } from "../telemetry/log.ts"
import { traceIdOf } from "../telemetry/tracing.ts"
import { type Exchange, headerOf } from "./exchange.ts"

type FailedRequest = {
  exchange: Exchange
  /** Path of the procedure; absent: that of the exchange. */
  operation?: string | undefined
  /** The answer. */
  refusal: Refusal
  error: unknown
}

/** Overloads not logged since the last logged one, and when logging resumes. */
const unlogged = new WeakMap<Log, { count: number; until: number }>()
const quietMs = 1_000

/**
 * Logs a failed request in one line, with the request id that the caller was given. Under overload, lines
 * would only add to the load, so one a second is logged, with the number of those left out.
 */
export function logRefusal(log: Log, { exchange, refusal, error, ...failed }: FailedRequest): void {
  const { requestId, method } = exchange
  const { operation = exchange.operation } = failed
  const traceId = traceIdOf(headerOf(exchange.request, "traceparent"))
  const { status, code } = refusal
  const line = { requestId, traceId, method, operation, status, code }
  if (refusal.status === 500) log.error({ ...line, err: error }, "A request failed unexpectedly")
  else if (refusal.status > 500) logOverload(log, { ...line, err: error })
  else log.debug(line, "A request was refused")
}

function logOverload(log: Log, line: Record<string, unknown>): void {
  const quiet = unlogged.get(log)
  const now = performance.now()
  if (quiet !== undefined && now < quiet.until) {
    quiet.count += 1
    return
  }
  unlogged.set(log, { count: 0, until: now + quietMs })
  log.warn({ ...line, unlogged: quiet?.count ?? 0 }, "A request could not be served")
}
