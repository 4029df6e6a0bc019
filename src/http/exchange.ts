/** One request and its answer, with the facts that every part of the HTTP layer needs. */
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { callerLeft } from "../shared/errors.ts"
import type { BodyAccount, BodyBudget } from "./bodies/bodyBudget.ts"

/** One request and its answer. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  method: string
  /** The path as sent, still percent-encoded, without the query. */
  path: string
  /** The query as sent, without its question mark; empty when there is none. */
  search: string
  requestId: string
  ip: string
  /** Aborts when the client goes away before its answer is complete; made at the first question. */
  leaving(): AbortSignal
  /** Whether the client has gone away already. */
  hasLeft(): boolean
  /** Counts what is read of the body; closed when the request is done. */
  body: BodyAccount
  /** Headers of the answer, in lower case. */
  headers: Record<string, string>
  /** Name of what answers, from a fixed list; absent until it is found. */
  operation?: string
}

const saneRequestId = /^[\w.:-]{1,64}$/

/** Opens an exchange. `trustedProxies` is the number of proxies in front that append to X-Forwarded-For. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { trustedProxies, bodies }: { trustedProxies: number; bodies: BodyBudget },
): Exchange {
  const requestId = requestIdOf(request)
  const ip = addressOf(request, trustedProxies)
  let signal: AbortSignal | undefined
  return {
    request,
    response,
    method: request.method ?? "GET",
    ...splitTarget(request.url ?? "/"),
    requestId,
    ip,
    body: bodies.open(ip),
    // Who ends its side of the connection gets no answer either: node:http closes the other one.
    hasLeft: () => !request.socket.writable && !response.writableFinished,
    leaving: () => {
      signal ??= abortOnLeave(response)
      return signal
    },
    headers: {
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    },
  }
}

/** Throws when nobody waits for the answer any more: to be called before work begins. */
export function requireClient(exchange: Exchange): void {
  if (exchange.hasLeft()) throw callerLeft()
}

/** A request header that comes once; of a repeated one the first. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** The name of a request: the one that came with it, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = headerOf(request, "x-request-id")
  return sent !== undefined && saneRequestId.test(sent) ? sent : randomUUID()
}

function splitTarget(target: string): { path: string; search: string } {
  // Proxies may send the absolute form (RFC 9112, 3.2.2).
  const local = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "")
  const mark = local.indexOf("?")
  if (mark === -1) return { path: local || "/", search: "" }
  return { path: local.slice(0, mark) || "/", search: local.slice(mark + 1) }
}

/** Address of the client, as far as the trusted proxies tell. */
export function addressOf(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? "local"
  if (trustedProxies === 0) return plainAddress(peer)
  const forwarded = headerOf(request, "x-forwarded-for")?.split(",") ?? []
  const chain = [...forwarded.map((address) => address.trim()), peer]
  return plainAddress(chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? peer)
}

function plainAddress(address: string): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address
}

function abortOnLeave(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!response.writableFinished) controller.abort()
  }
  if (response.closed) abort()
  else response.once("close", abort)
  return controller.signal
}

/**
 * What answers beside the procedures: the work that answers a request; undefined: it concerns
 * something else, which is found out without waiting because every request asks. What the work
 * rejects with is answered.
 */
export type Endpoint = (exchange: Exchange) => Promise<void> | undefined
