/** Writes answers: headers for pages of other origins, JSON, the error document, redirects. */
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { describeRefusal, type Refusal } from "../routers/refusal.ts"
import { type Exchange, headerOf } from "./exchange.ts"
import { problemOf } from "./problem.ts"

const compress = promisify(gzip)
const smallestCompressed = 1024

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

/** Adds the headers that let pages of these origins read the answer; `*`: every page, as for chats. */
export function addCors(exchange: Exchange, allowedOrigins: readonly string[] | "*"): void {
  if (allowedOrigins.length === 0) return
  let origin: string | undefined = "*"
  if (allowedOrigins !== "*") {
    addVary(exchange, "origin")
    origin = headerOf(exchange.request, "origin")
    if (origin === undefined || !allowedOrigins.includes(origin)) return
  }
  exchange.headers["access-control-allow-origin"] = origin
  exchange.headers["access-control-expose-headers"] = exposed
}

/** Answers a preflight, if `addCors` has allowed the page. */
export function sendPreflight(exchange: Exchange): void {
  const { headers, request } = exchange
  if (headers["access-control-allow-origin"] !== undefined) {
    headers["access-control-allow-methods"] = methods
    headers["access-control-max-age"] = "86400"
    const requested = headerOf(request, "access-control-request-headers")
    addVary(exchange, "access-control-request-headers")
    if (requested !== undefined) headers["access-control-allow-headers"] = requested
  }
  sendEmpty(exchange, 204)
}

/** Sends a JSON text as it is. */
export function sendText(exchange: Exchange, status: number, text: string): void {
  exchange.headers["content-type"] ??= "application/json; charset=utf-8"
  finish(exchange, status, text)
}

/** Sends JSON, compressed when that pays and the caller can read it; otherwise synchronously. */
export function sendCompressed(
  exchange: Exchange,
  status: number,
  body: string,
): Promise<void> | undefined {
  exchange.headers["content-type"] ??= "application/json; charset=utf-8"
  if (body.length < smallestCompressed || !takesGzip(exchange)) {
    finish(exchange, status, body)
    return undefined
  }
  return compress(body).then((small) => finish(exchange, status, small))
}

/** A body that is sent often, plain and compressed. */
export type Prepared = { plain: Buffer; small: Buffer }

/** Compresses it once. */
export async function prepare(content: string | Buffer): Promise<Prepared> {
  const plain = Buffer.from(content)
  return { plain, small: await compress(plain) }
}

/** Sends a prepared body in the form that the caller can read. */
export function sendPrepared(exchange: Exchange, { plain, small }: Prepared): void {
  exchange.headers["content-type"] ??= "application/json; charset=utf-8"
  finish(exchange, 200, takesGzip(exchange) ? small : plain)
}

/** Sends the error document (RFC 9457) for anything thrown, and returns what it says. */
export function sendProblem(exchange: Exchange, error: unknown): Refusal {
  const { headers } = exchange
  const refusal = describeRefusal(error, exchange)
  headers["content-type"] = "application/problem+json; charset=utf-8"
  if (refusal.status === 401) headers["www-authenticate"] = "Bearer"
  if (refusal.retryAfterSeconds !== undefined) {
    headers["retry-after"] = String(Math.max(1, Math.ceil(refusal.retryAfterSeconds)))
  }
  finish(exchange, refusal.status, JSON.stringify(problemOf(refusal, exchange.requestId)))
  return refusal
}

/** Sends headers only: for preflights and redirects. */
export function sendEmpty(exchange: Exchange, status: number): void {
  if (status !== 204) exchange.headers["content-length"] = "0"
  exchange.response.writeHead(status, exchange.headers)
  exchange.response.end()
}

/** Adds a request header to `Vary`. */
export function addVary(exchange: Exchange, name: string): void {
  const { headers } = exchange
  headers.vary = headers.vary === undefined ? name : `${headers.vary}, ${name}`
}

/** Whether to compress; then the headers say so. */
function takesGzip(exchange: Exchange): boolean {
  addVary(exchange, "accept-encoding")
  const accepted = headerOf(exchange.request, "accept-encoding") ?? ""
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted)) return false
  exchange.headers["content-encoding"] = "gzip"
  return true
}

/** A string goes out in one write with the headers, bytes in a second one. */
function finish(exchange: Exchange, status: number, body: string | Buffer): void {
  const { response, headers } = exchange
  if (response.headersSent) return
  // For the metrics, also when nobody receives it.
  response.statusCode = status
  if (response.destroyed) return
  headers["content-length"] = String(Buffer.byteLength(body))
  response.writeHead(status, headers)
  response.end(exchange.method === "HEAD" ? undefined : body)
}
