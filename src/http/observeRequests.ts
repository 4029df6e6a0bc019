/** Counts and traces requests, and limits how many run at once. */
import { unavailable } from "../shared/errors.ts"
import type { Metrics } from "../shared/metrics.ts"
import { inSpan } from "../shared/tracing.ts"
import type { Exchange } from "./exchange.ts"

/** Does the work of one exchange, which must not reject. */
export type Observe = (exchange: Exchange, work: () => Promise<void>) => Promise<void>

/** Makes the observer. */
export function createObserve(metrics: Pick<Metrics, "countRequest">): Observe {
  return async (exchange, work) => {
    const startedAt = performance.now()
    const { method, requestId, request } = exchange
    const attributes = { "http.request.method": method, "parley.request_id": requestId }
    await inSpan({ name: method, attributes, headers: request.headers }, async (annotate) => {
      await work()
      const { operation = "unknown", response } = exchange
      const status = response.statusCode
      const seconds = (performance.now() - startedAt) / 1_000
      metrics.countRequest({ operation, status, seconds })
      annotate({ "http.response.status_code": status }, `${method} ${operation}`)
    })
  }
}

/** Admits a request, or throws a 503. Returns the function that ends it. */
export type Admit = () => () => void

/** Admits so many requests at a time. */
export function createAdmit(maxRequests: number): Admit {
  let running = 0
  return () => {
    if (running >= maxRequests) throw unavailable("The service has too much to do", 1)
    running += 1
    return () => {
      running -= 1
    }
  }
}
