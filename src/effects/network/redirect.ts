/** Determines the next request of a redirect (Fetch standard, "HTTP-redirect fetch"). */
import { type FormData, Headers } from "undici"
import { BlockedError } from "./addressRules.ts"

/** One request in a chain of redirects. */
export type Hop = { url: URL; method: string; headers: Headers; body: RequestBody }

/** A body that can be sent again; null: no body. */
export type RequestBody = string | Uint8Array | FormData | URLSearchParams | null

/** Parts that a redirect must not send to another origin. */
export type RedirectRules = {
  /** Names of headers, in addition to the usual ones. */
  privateHeaders: readonly string[]
  /** True: not even the request itself. */
  staysOnOrigin: boolean
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Headers that identify the caller, and are meant for one origin only. */
const ownHeaders = ["authorization", "cookie", "proxy-authorization"]

/** The next request. Returns undefined if the response is not a redirect. */
export function nextHop(
  hop: Hop,
  response: { status: number; headers: { get(name: string): string | null } },
  rules: RedirectRules,
): Hop | undefined {
  const header = response.headers.get("location")
  if (header === null || !redirectStatuses.has(response.status)) return undefined
  // undici decodes headers as Latin-1, but this one is UTF-8.
  const location = Buffer.from(header, "latin1").toString()
  if (!URL.canParse(location, hop.url.href)) throw new BlockedError("The redirect leads nowhere")
  const url = new URL(location, hop.url)
  const headers = new Headers(hop.headers)
  if (url.origin !== hop.url.origin) {
    if (rules.staysOnOrigin) throw new BlockedError("The redirect leads to another host")
    for (const name of [...ownHeaders, ...rules.privateHeaders]) headers.delete(name)
  }
  if (!becomesGet(response.status, hop.method)) return { ...hop, url, headers }
  for (const name of ["content-type", "content-encoding", "content-language"]) headers.delete(name)
  return { url, headers, method: "GET", body: null }
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD"
  return (status === 301 || status === 302) && method === "POST"
}
