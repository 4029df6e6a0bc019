/** The one door through which requests of flows leave the house: the network guard. */
import { Agent, type Dispatcher, fetch, Headers, type RequestInit, Response } from "undici"
import { BlockedError, openAddressRules } from "./addressRules.ts"
import { type Guard, guardedConnector, type Resolve, systemResolve } from "./guardedConnect.ts"
import type { GuardedFetch } from "./guardedFetch.ts"
import { openProxy } from "./proxy.ts"
import { type Hop, nextHop, type RedirectRules, type RequestBody } from "./redirect.ts"

/** How the guard works; only `allowHosts` has to be given. */
export type OutboundOptions = {
  /** Hosts, hosts with ports, and ranges that may be called although they are not public. */
  allowHosts: readonly string[]
  maxRedirects?: number
  /** Bytes of a response, unpacked, unless a request says otherwise. */
  maxBytes?: number
  /** Milliseconds until the end of a response, unless a request says otherwise. */
  timeoutMs?: number
  /** Absent: the resolver of the system. */
  resolve?: Resolve
}

/** A request, and what it may take. */
export type OutboundInit = Omit<RequestInit, "body" | "dispatcher"> &
  Partial<RedirectRules> & {
    body?: RequestBody
    maxBytes?: number
    timeoutMs?: number
    /** Address of an HTTP proxy to go through, perhaps with user name and password. */
    proxyUrl?: string
  }

/** The guard. */
export type Outbound = {
  /**
   * Makes a request. Throws a BlockedError, a TooLargeError, a TimeoutError, the reason of the
   * signal, or what the network says; reading the body throws these too.
   */
  fetch(url: string, init?: OutboundInit): Promise<Response>
  /** The same for those who need nothing special. */
  guardedFetch: GuardedFetch
  /** Cuts all connections. */
  close(): Promise<void>
}

/** A response is larger than its limit. */
export class TooLargeError extends Error {
  override name = "TooLargeError"
}

/** Opens the guard; throws when an allowed host cannot be understood. */
export function openOutbound(options: OutboundOptions): Outbound {
  const rules = openAddressRules(options.allowHosts)
  const guard = { rules, resolve: options.resolve ?? systemResolve }
  const direct = new Agent({ connect: guardedConnector(guard), connections: 64 })
  const door: Door = { ...defaults, ...options, ...guard, direct }
  return {
    fetch: (url, init = {}) => request(door, url, init),
    guardedFetch: (url, init = {}) => request(door, url, init as OutboundInit),
    close: () => direct.destroy(),
  }
}

const defaults = { maxRedirects: 10, maxBytes: 10_000_000, timeoutMs: 120_000 }

type Door = typeof defaults & Guard & { direct: Dispatcher }

async function request(door: Door, address: string, init: OutboundInit): Promise<Response> {
  const { maxBytes = door.maxBytes, timeoutMs = door.timeoutMs, proxyUrl } = init
  const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
  const signal = AbortSignal.any(signals)
  const proxy = proxyUrl === undefined ? undefined : openProxy(proxyUrl, door)
  try {
    const hop = firstHop(address, init)
    const dispatcher = proxy?.dispatcher ?? door.direct
    const response = await follow(door, hop, { ...init, signal, dispatcher })
    return limited(response, maxBytes)
  } catch (error) {
    throw plain(error, signal)
  } finally {
    void proxy?.close()
  }
}

function firstHop(address: string, { method = "GET", headers, body = null }: OutboundInit): Hop {
  if (!URL.canParse(address)) throw new BlockedError("The address cannot be understood")
  const kept = new Headers(headers)
  for (const name of metadataHeaders) {
    if (kept.has(name)) throw new BlockedError("A header asks for the secrets of a cloud")
  }
  for (const name of connectionHeaders) kept.delete(name)
  if (!kept.has("user-agent")) kept.set("user-agent", "Parley")
  return { url: new URL(address), method: method.toUpperCase(), headers: kept, body }
}

type PreparedRequest = OutboundInit & { signal: AbortSignal; dispatcher: Dispatcher }

async function follow(door: Door, first: Hop, way: PreparedRequest): Promise<Response> {
  const { dispatcher, signal, privateHeaders = [], staysOnOrigin = false } = way
  let hop = first
  for (let redirects = 0; ; redirects++) {
    door.rules.checkUrl(hop.url)
    const { url, method, headers, body } = hop
    const init = { method, headers, body, signal, dispatcher, redirect: "manual" } as const
    const response = await fetch(url, init)
    if (way.redirect === "manual") return response
    const next = nextHop(hop, response, { privateHeaders, staysOnOrigin })
    if (!next) return response
    await response.body?.cancel()
    if (redirects >= door.maxRedirects || way.redirect === "error") {
      throw new BlockedError("The address redirects too often")
    }
    hop = next
  }
}

/** Headers that only ask for what clouds tell their own machines. */
const metadataHeaders = [
  "metadata",
  "metadata-flavor",
  "x-google-metadata-request",
  "x-aws-ec2-metadata-token",
  "x-aws-ec2-metadata-token-ttl-seconds",
  "x-metadata-token",
]

/** Headers that belong to the connection (RFC 9110, section 7.6.1) or are made from the request. */
const connectionHeaders = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]

function limited(response: Response, maxBytes: number): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  let size = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength
      // After unpacking, so that a small response cannot become a large one here.
      if (size > maxBytes) controller.error(new TooLargeError("The response is too large"))
      else controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(limit), { status, statusText, headers })
}

/** The cause where it is ours to tell: fetch wraps everything that happens while it connects. */
function plain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof BlockedError) return cause
  }
  return error
}
