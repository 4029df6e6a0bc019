/** Writes answers: CORS headers, JSON, streams, the error document, redirects. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { AppError, retryAfterOf } from "../lib/errors.ts"
import type { Settings } from "../routers/context.ts"
import { describeRefusal, type Refusal } from "../routers/refusal.ts"
import { type Exchange, headerOf } from "./exchange.ts"
import { problemOf } from "./problem.ts"
import { holdUnread } from "./unread.ts"

const compress = promisify(gzip)
const smallestCompressed = 1024

const methods = "GET,HEAD,PUT,PATCH,POST,DELETE"
const exposed = [
  "x-request-id",
  "retry-after",
  "parley-ignored",
  "deprecation",
  "sunset",
  "idempotent-replayed",
  "server-timing",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
].join(", ")

/** Origins of pages: a list or a predicate. */
export type Origins = { length: number; includes(origin: string): boolean }

/** Origins that may call procedures: listed ones, and pages of this machine, whose cookies count once admitted. */
export function callingOrigins({
  allowedOrigins,
  isLocalPage,
}: Pick<Settings, "allowedOrigins" | "isLocalPage">): Origins {
  if (!isLocalPage) return allowedOrigins
  const includes = (origin: string) => allowedOrigins.includes(origin) || isLocalPage(origin)
  return { length: allowedOrigins.length + 1, includes }
}

/** Lets pages of these origins read the answer, with cookies; `*`: every page, without them, as for chats. */
export function addCors(exchange: Exchange, allowedOrigins: Origins | "*"): void {
  if (allowedOrigins.length === 0) return
  let origin: string | undefined = "*"
  if (allowedOrigins !== "*") {
    addVary(exchange, "origin")
    origin = headerOf(exchange.request, "origin")
    if (origin === undefined || !allowedOrigins.includes(origin)) return
    exchange.headers["access-control-allow-credentials"] = "true"
  }
  exchange.headers["access-control-allow-origin"] = origin
  exchange.headers["access-control-expose-headers"] = exposed
}

/** Answers a preflight, which grants nothing unless `addCors` has let the page in. */
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

/**
 * Sends a body as it is: JSON, unless its headers say otherwise. Node sends a string in one write with the
 * headers, bytes in a second one.
 */
export function sendText(exchange: Exchange, status: number, body: string | Buffer): void {
  if (exchange.response.headersSent) return
  const bytes = Buffer.byteLength(body)
  requireReader(exchange, status, bytes)
  write(exchange, status, { body, bytes })
}

function write(
  exchange: Exchange,
  status: number,
  { body, bytes }: { body: string | Buffer; bytes: number },
): void {
  const { response, headers, method } = exchange
  // Counted in the metrics even if the client has left.
  response.statusCode = status
  if (response.destroyed) return
  headers["content-type"] ??= "application/json; charset=utf-8"
  headers["content-length"] = String(bytes)
  response.writeHead(status, headers)
  const isHead = method === "HEAD"
  response.end(isHead ? undefined : body)
  // As a rule, the system has taken all of it by now.
  if (response.writableLength > 0) holdUnread(exchange, isHead ? partBytes : bytes)
}

/** Overhead per unread part: a place in a list, and headers. */
const partBytes = 1_024
/** Answers up to this size are exempt from the budget, so that chats continue when it is used up. */
const smallBytes = 16_384

/**
 * Throws a 503 for an answer that is too much for an address that does not read others. What a request has
 * changed is never answered with a refusal.
 */
function requireReader({ unread, ip, method }: Exchange, status: number, bytes: number): void {
  const isRead = method === "GET" && status < 400
  if (isRead && bytes > smallBytes) unread.requireRoom(ip, bytes)
}

/** Sends JSON, compressed when that pays and the caller accepts it; synchronously when it is not. */
export function sendCompressed(
  exchange: Exchange,
  status: number,
  body: string,
): Promise<void> | undefined {
  // Before the header of the compression, which a refusal must not have.
  requireReader(exchange, status, body.length)
  if (body.length < smallestCompressed || !codingFor(exchange, ["gzip"])) {
    sendText(exchange, status, body)
    return undefined
  }
  return sendSmall(exchange, status, body)
}

async function sendSmall(exchange: Exchange, status: number, body: string): Promise<void> {
  const free = holdUnread(exchange, body.length)
  const small = await compress(body).finally(free)
  write(exchange, status, { body: small, bytes: small.length })
}

/**
 * A body that is sent often: plain, and compressed; with Brotli only where the build has done that. Its
 * version changes whenever it does.
 */
export type Prepared = { plain: Buffer; gzip: Buffer; br?: Buffer; version: string }

/** Compresses a body once, for all the times it is sent. */
export async function prepare(content: string | Buffer): Promise<Prepared> {
  const plain = Buffer.from(content)
  return { plain, gzip: await compress(plain), version: versionOf(plain) }
}

/** Sends a prepared body, compressed as well as the caller accepts. */
export function sendPrepared(exchange: Exchange, prepared: Prepared): void {
  const coding = codingFor(exchange, prepared.br ? ["br", "gzip"] : ["gzip"])
  sendShared(exchange, [prepared[coding ?? "plain"] ?? prepared.plain])
}

/**
 * Sends bytes that other answers have, too: however many wait to be read, they are held once. `own` of them
 * are those of this answer alone.
 */
export function sendShared(
  exchange: Exchange,
  parts: readonly Buffer[],
  { status = 200, own = 0 } = {},
): void {
  const { response, headers, method } = exchange
  requireReader(exchange, status, own)
  response.statusCode = status
  if (response.destroyed) return
  headers["content-type"] ??= "application/json; charset=utf-8"
  headers["content-length"] = String(parts.reduce((sum, part) => sum + part.length, 0))
  response.writeHead(status, headers)
  if (method !== "HEAD") for (const part of parts) response.write(part)
  response.end()
  if (response.writableLength > 0) holdUnread(exchange, own + parts.length * partBytes)
}

/** The version of a content, as the build of the pages computes it, too. */
export function versionOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 12)
}

/** Sends a body, unless the caller has it; proxies that compress it make its tag a weak one. */
export function sendTagged(exchange: Exchange, prepared: Prepared): void {
  const { headers, request, response } = exchange
  headers.etag = `"${prepared.version}"`
  if (headerOf(request, "if-none-match")?.includes(headers.etag)) {
    addVary(exchange, "accept-encoding")
    response.writeHead(304, headers)
    response.end()
  } else sendPrepared(exchange, prepared)
}

/** Sends the error document (RFC 9457) for a thrown value, and returns it. */
export function sendProblem(exchange: Exchange, error: unknown): Refusal {
  const { headers } = exchange
  const refusal = describeRefusal(error, exchange)
  headers["content-type"] = "application/problem+json; charset=utf-8"
  if (refusal.status === 401) headers["www-authenticate"] = "Bearer"
  addRetryAfter(exchange, retryAfterOf(refusal))
  sendText(exchange, refusal.status, JSON.stringify(problemOf(refusal, exchange.requestId)))
  return refusal
}

/** Says in a header when a retry makes sense, if that is known. */
export function addRetryAfter({ headers }: Exchange, seconds: number | undefined): void {
  if (seconds !== undefined) headers["retry-after"] = String(seconds)
}

/** Refuses other methods than these, given as in `Allow`. */
export function requireMethod(exchange: Exchange, allowed: string, message: string): void {
  if (!allowed.split(", ").includes(exchange.method)) refuseMethod(exchange, allowed, message)
}

/** Throws the 405 of a path that takes only these methods. */
export function refuseMethod(exchange: Exchange, allowed: string, message: string): never {
  exchange.headers.allow = allowed
  throw new AppError("METHOD_NOT_SUPPORTED", message)
}

/** The header of a stream that proxies must not buffer. */
export const passedOn = { "x-accel-buffering": "no" }

type Stream = {
  /** To read the first one may fail with a status of its own. */
  parts: AsyncIterable<string | Uint8Array>
  /** Headers for when it does not. */
  headers?: Readonly<Record<string, string>>
  /** Aborts when the reader need not wait for more; absent: when the reader has left. */
  ended?: AbortSignal
}

/**
 * Streams a body with the status of the response, at the speed of the reader. What breaks off
 * is thrown on, to be logged.
 */
export async function sendStream(
  exchange: Exchange,
  { parts, headers, ended = exchange.abortSignal() }: Stream,
): Promise<void> {
  const { response } = exchange
  const reader = parts[Symbol.asyncIterator]()
  let part = await reader.next()
  try {
    Object.assign(exchange.headers, headers)
    response.writeHead(response.statusCode, exchange.headers)
    for (; exchange.method !== "HEAD" && !part.done; part = await reader.next()) {
      if (response.write(part.value)) continue
      const free = holdUnread(exchange, response.writableLength)
      await once(response, "drain", { signal: ended }).finally(free)
    }
    response.end()
  } catch (error) {
    if (ended.aborted) return void response.end()
    // The status is sent: only a broken connection can show that the answer is incomplete.
    response.destroy()
    throw error
  } finally {
    await reader.return?.()
  }
}

/** Sends headers only: for preflights and redirects. */
export function sendEmpty(exchange: Exchange, status: number): void {
  if (status !== 204) exchange.headers["content-length"] = "0"
  exchange.response.writeHead(status, exchange.headers)
  exchange.response.end()
}

export function redirect(exchange: Exchange, status: 302 | 303, address: string): void {
  exchange.headers.location = address
  sendEmpty(exchange, status)
}

/** Names a request header in `Vary`. */
export function addVary(exchange: Exchange, name: string): void {
  const { headers } = exchange
  headers.vary = headers.vary === undefined ? name : `${headers.vary}, ${name}`
}

const accepting = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
} as const

type Coding = keyof typeof accepting

/** The first of the compressions that the caller accepts, which the headers then announce. */
function codingFor(exchange: Exchange, offered: readonly Coding[]): Coding | undefined {
  addVary(exchange, "accept-encoding")
  const accepted = headerOf(exchange.request, "accept-encoding") ?? ""
  const coding = offered.find((each) => accepting[each].test(accepted))
  if (coding) exchange.headers["content-encoding"] = coding
  return coding
}
