/** Writes what went wrong in a request to the log: bugs loudly, refusals quietly. */
import type { Log } from "../log.ts"
import type { Refusal } from "../routers/refusal.ts"
import type { Exchange } from "./exchange.ts"

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

/** One line per failed request, with the request id that the caller was given. */
export function logRefusal(log: Log, { exchange, operation, refusal, error }: FailedRequest): void {
  const { requestId, method } = exchange
  const line = { requestId, method, operation, status: refusal.status, code: refusal.code }
  if (refusal.status === 500) log.error({ ...line, err: error }, "A request failed unexpectedly")
  else if (refusal.status > 500) log.warn({ ...line, err: error }, "A request could not be served")
  else log.debug(line, "A request was refused")
}
