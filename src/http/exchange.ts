/** One request and its answer, as the HTTP layer sees them. */
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { callerLeft, type Issue } from "../errors.ts"
import type { BodyAccount, BodyBudget } from "./bodies/bodyBudget.ts"

/** One request and its answer. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  method: string
  /** The path as sent, still percent-encoded, without the query. */
  path: string
  /** The query as sent, without its question mark; empty without a query. */
  search: string
  requestId: string
  ip: string
  /** Aborts when the client leaves before its answer is complete; made on first use. */
  abortSignal(): AbortSignal
  /** Whether the client has left already. */
  hasLeft(): boolean
  /** Counts the body in memory; closed when the request is done. */
  body: BodyAccount
  /** Headers of the answer, in lower case. */
  headers: Record<string, string>
  /** To be called when the answer becomes a stream, which may last: others may run meanwhile. */
  onStream?: () => void
  /** What answers, by a name from a fixed list; absent until it is known. */
  operation?: string
  /** What the procedure gets, for words about what is wrong with it; absent until it is known. */
  input?: unknown
  /** Where members of the input stand in the request; absent until it is known. */
  placeOf?: (member: string) => string
  /** Where the caller sent what stands at a path of the input; absent: there. */
  sentAt?: (path: Issue["path"]) => Issue["path"]
}

const saneRequestId = /^[A-Za-z0-9_.:-]{1,64}$/

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
    // A client that half-closes the connection gets no answer either: node:http closes it too.
    hasLeft: () => !request.socket.writable && !response.writableFinished,
    abortSignal: () => {
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

/** Throws when the client has left: to be called before work begins. */
export function requireClient(exchange: Exchange): void {
  if (exchange.hasLeft()) throw callerLeft()
}

/** A request header; the first of repeated ones. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** The id of a request: the one that came with it, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = headerOf(request, "x-request-id")
  return sent !== undefined && saneRequestId.test(sent) ? sent : randomUUID()
}

/** Whether a body comes with the request (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": coding } = headers
  return coding !== undefined || (length !== undefined && length !== "0")
}

/** Whether the client waits for permission to send its body. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return headerOf(request, "expect")?.toLowerCase() === "100-continue"
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
