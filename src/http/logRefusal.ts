/** Writes what went wrong in a request to the log: bugs loudly, refusals quietly. */

import type { Refusal } from "../routers/refusal.ts"
import type { Log } from "../shared/log.ts"
import { traceIdOf } from "../shared/tracing.ts"
import { type Exchange, headerOf } from "./exchange.ts"

/** What there is to say of a failed request. */
export type FailedRequest = {
  exchange: Exchange
  /** Path of the procedure; absent when none was found. */
  operation: string | undefined
  /** What the caller was told. */
  refusal: Refusal
  /** What was thrown. */
  error: unknown
}

/** Refusals for lack of means since the last one that was told. */
const untold = new WeakMap<Log, { count: number; until: number }>()
const quietMs = 1_000

/**
 * One line per failed request, with the request id that the caller was given. When there is too
 * much to do, writing lines would only add to it: of those one a second is told, with a count.
 */
export function logRefusal(log: Log, { exchange, operation, refusal, error }: FailedRequest): void {
  const { requestId, method } = exchange
  const traceId = traceIdOf(headerOf(exchange.request, "traceparent"))
  const { status, code } = refusal
  const line = { requestId, traceId, method, operation, status, code }
  if (refusal.status === 500) log.error({ ...line, err: error }, "A request failed unexpectedly")
  else if (refusal.status > 500) logLack(log, { ...line, err: error })
  else log.debug(line, "A request was refused")
}

function logLack(log: Log, line: Record<string, unknown>): void {
  const quiet = untold.get(log)
  const now = performance.now()
  if (quiet !== undefined && now < quiet.until) {
    quiet.count += 1
    return
  }
  untold.set(log, { count: 0, until: now + quietMs })
  log.warn({ ...line, untold: quiet?.count ?? 0 }, "A request could not be served")
}
