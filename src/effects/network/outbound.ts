/** The network guard, through which every request of a flow passes. */
import { setTimeout as sleep } from "node:timers/promises"
import { Agent, type Dispatcher, fetch, Headers, type RequestInit, Response } from "undici"
import { anySignal } from "../../lib/anySignal.ts"
import { BlockedError, bareHost, createAddressRules, portOf } from "./addressRules.ts"
import { type Guard, guardedConnector, resolveAllowed } from "./guardedConnect.ts"
import { openProxy } from "./proxy.ts"
import { type Hop, nextHop, type RedirectRules, type RequestBody } from "./redirect.ts"
import { connectionHeaders, metadataHeaders } from "./refusedHeaders.ts"
import { type RequestSecret, withSecret } from "./requestSecret.ts"
import { createResolve, type Resolve } from "./resolve.ts"

type OutboundOptions = {
  /** Hosts, hosts with ports, and ranges that may be called even though they are not public. */
  allowHosts: readonly string[]
  /** Limit for the bytes of a decompressed response, unless a request sets another. */
  maxBytes?: number
  /** Limit for the milliseconds until the end of a response, unless a request sets another. */
  timeoutMs?: number
  /** Absent: one that asks the name servers of the system. */
  resolve?: Resolve
}

export type OutboundInit = Omit<RequestInit, "body" | "dispatcher"> &
  Partial<RedirectRules> & {
    body?: RequestBody
    maxBytes?: number
    timeoutMs?: number
    /** Address of an HTTP proxy, perhaps with a user name and a password. */
    proxyUrl?: string
    /** The secret to send to an address, judged anew after each redirect. Absent: none. */
    secretFor?: (url: URL) => RequestSecret | undefined
  }

export type Outbound = ReturnType<typeof openOutbound>

/** The response exceeds its limit. */
export class TooLargeError extends Error {
  override name = "TooLargeError"
}

/** Opens the guard; throws if an allowed host is malformed. */
export function openOutbound(options: OutboundOptions) {
  const rules = createAddressRules(options.allowHosts)
  const guard = { rules, resolve: options.resolve ?? createResolve() }
  // No bound on connections to a host: many call the same one, and a few slow answers to one author's bots
  // would delay all others. Callers are bounded where the call begins.
  const direct = new Agent({ connect: guardedConnector(guard) })
  const client: GuardedClient = { ...defaults, ...options, ...guard, direct }
  return {
    /**
     * Makes a request. Throws a BlockedError, a TooLargeError, a TimeoutError, the reason of the signal,
     * or a network error; reading the body can throw the same.
     */
    fetch: (url: string, init: OutboundInit = {}) => request(client, url, init),
    /** The rule by which requests to an address are blocked as things stand; undefined: none, or its name is not found. */
    refusalOf: (url: string) =>
      Promise.race([refusalOf(guard, new URL(url)), sleep(lookMs, undefined)]),
    /** Destroys all connections. */
    close: () => direct.destroy(),
  }
}

/** How long a name may take to be looked up before it is called. */
const lookMs = 2_000

async function refusalOf(guard: Guard, url: URL): Promise<string | undefined> {
  try {
    guard.rules.checkUrl(url)
    await resolveAllowed(
      guard,
      bareHost(url.hostname),
      guard.rules.isListed(url.hostname, portOf(url)),
    )
    return undefined
  } catch (error) {
    return error instanceof BlockedError ? error.message : undefined
  }
}

const maxRedirects = 10
const defaults = { maxBytes: 10_000_000, timeoutMs: 120_000 }

type GuardedClient = typeof defaults & Guard & { direct: Dispatcher }

async function request(client: GuardedClient, address: string, init: OutboundInit) {
  const { maxBytes = client.maxBytes, timeoutMs = client.timeoutMs, proxyUrl } = init
  const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
  const signal = anySignal(signals)
  const proxy = proxyUrl === undefined ? undefined : openProxy(proxyUrl, client)
  try {
    const hop = firstHop(address, init)
    const dispatcher = proxy?.dispatcher ?? client.direct
    const response = await follow(client, hop, { ...init, signal, dispatcher })
    return withLimit(response, maxBytes)
  } catch (error) {
    throw rootCause(error, signal)
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

async function follow(client: GuardedClient, first: Hop, init: PreparedRequest): Promise<Response> {
  const { dispatcher, signal, privateHeaders = [], staysOnOrigin = false } = init
  let hop = first
  for (let redirects = 0; ; redirects++) {
    client.rules.checkUrl(hop.url)
    const { method, body } = hop
    // Never part of the hop, from which the next one is made.
    const { url, headers } = withSecret(hop, init.secretFor?.(hop.url))
    const options = { method, headers, body, signal, dispatcher, redirect: "manual" } as const
    const response = await fetch(url, options)
    if (init.redirect === "manual") return response
    const next = nextHop(hop, response, { privateHeaders, staysOnOrigin })
    if (!next) return response
    await response.body?.cancel()
    if (redirects >= maxRedirects || init.redirect === "error") {
      throw new BlockedError("The address redirects too often")
    }
    hop = next
  }
}

function withLimit(response: Response, maxBytes: number): Response {
  const { body, status, ok, headers } = response
  if (body === null) return response
  let size = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength
      // After decompression, so that a small response cannot become a large one here.
      if (size > maxBytes) controller.error(new TooLargeError("The response is too large"))
      else controller.enqueue(chunk)
    },
  })
  // Both declare the same stream, but the types of Node and of browsers differ.
  const bounded = (body as unknown as ReadableStream<Uint8Array>).pipeThrough(limit)
  type Body = ConstructorParameters<typeof Response>[0]
  // Any three digits may be a status, such as 999, but no `Response` can be made with all of them.
  const limited = new Response(bounded as unknown as Body, { headers })
  return Object.defineProperties(limited, { status: { value: status }, ok: { value: ok } })
}

/** Our own error, if it is the cause: fetch wraps all errors that occur while it connects. */
function rootCause(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof BlockedError) return cause
  }
  return error
}
