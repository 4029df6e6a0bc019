/** Cross-origin rules: chat routes are open to every page, the rest only to configured origins. */
import { addVary } from "./answer.ts"
import { type Exchange, headerOf } from "./exchange.ts"

const methods = "GET,HEAD,PUT,PATCH,POST,DELETE"
const exposed = [
  "x-request-id",
  "retry-after",
  "idempotent-replayed",
  "server-timing",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
].join(", ")

/** Adds the headers that let a page read the answer. `isOpen`: every page, as for chat routes. */
export function addCors(
  exchange: Exchange,
  isOpen: boolean,
  allowedOrigins: readonly string[],
): void {
  const { headers } = exchange
  if (isOpen) {
    headers["access-control-allow-origin"] = "*"
    headers["access-control-expose-headers"] = exposed
    return
  }
  if (allowedOrigins.length === 0) return
  addVary(exchange, "origin")
  const origin = headerOf(exchange.request, "origin")
  if (origin === undefined || !allowedOrigins.includes(origin)) return
  headers["access-control-allow-origin"] = origin
  headers["access-control-expose-headers"] = exposed
}

/** Adds what a preflight asks for, if `addCors` has allowed the page. */
export function addPreflight(exchange: Exchange): void {
  const { headers, request } = exchange
  if (headers["access-control-allow-origin"] === undefined) return
  headers["access-control-allow-methods"] = methods
  headers["access-control-max-age"] = "86400"
  const requested = headerOf(request, "access-control-request-headers")
  addVary(exchange, "access-control-request-headers")
  if (requested !== undefined) headers["access-control-allow-headers"] = requested
}
