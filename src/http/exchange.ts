/** One request and its answer, as the HTTP layer sees them. */
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { callerLeft, type Issue } from "../lib/errors.ts"
import type { BodyAccount, BodyBudget } from "./bodies/bodyBudget.ts"
import type { ByteBudget } from "./byteBudget.ts"
import type { Site } from "./sites.ts"

/** One request and its answer. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  method: string
  /** The path as it was sent: percent-encoded, without the query. */
  path: string
  /** The query as it was sent, without its question mark; empty when there is none. */
  search: string
  requestId: string
  ip: string
  /** Aborts when the client leaves before the answer is complete; created on first use. */
  abortSignal(): AbortSignal
  /** Whether the client has left already. */
  hasLeft(): boolean
  /** Accounts for the body in memory; closed when the request is done. */
  body: BodyAccount
  /** Bytes that wait for their readers in this process. */
  unread: ByteBudget
  /** Headers of the answer, in lower case. */
  headers: Record<string, string>
  /** Called when the answer becomes a stream, which may last long and must not count as running. */
  onStream?: () => void
  /** True: it is for the origin that serves chats alone, where no cookie counts. */
  isOnChatOrigin?: true
  /** What is served at the domain of bots to which it came; absent: it came to the service itself. */
  site?: Site
  /** The operation, from a fixed list; absent until it is known. */
  operation?: string
  /** The input of the procedure, for error messages; absent until it is known. */
  input?: unknown
  /** Whether a member of the input is in the path, the query or the body; absent until it is known. */
  placeOf?: (member: string) => string
  /** Translates a path of the input into the names that the caller used; absent: they are the same. */
  sentAt?: (path: Issue["path"]) => Issue["path"]
}

const saneRequestId = /^[A-Za-z0-9_.:-]{1,64}$/

/** Opens an exchange. `trustedProxies` is how many proxies in front append to X-Forwarded-For. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  {
    trustedProxies,
    bodies,
    unread,
  }: { trustedProxies: number; bodies: BodyBudget; unread: ByteBudget },
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
    unread,
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

/** Throws if the client has left; called before work begins. */
export function requireClient(exchange: Exchange): void {
  if (exchange.hasLeft()) throw callerLeft()
}

/** Returns a request header, the first one if it is repeated. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Returns the id in the header of a request, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = headerOf(request, "x-request-id")
  return sent !== undefined && saneRequestId.test(sent) ? sent : randomUUID()
}

/** Whether the request has a body (RFC 9112, 6.3). */
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

/** The IP address of the client, according to the trusted proxies. */
export function addressOf(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? "local"
  if (trustedProxies === 0) return plainAddress(peer)
  const forwarded = headerOf(request, "x-forwarded-for")?.split(",") ?? []
  const chain = [...forwarded.map((address) => address.trim()), peer]
  return plainAddress(withoutPort(chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? peer))
}

/** Some proxies add the port, which is another one for each connection of a client. */
function withoutPort(address: string): string {
  const [, inBrackets, beforePort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  return inBrackets ?? beforePort ?? address
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
