/** Finds by the host of a request which bots it may reach: at a domain of theirs, they and nothing else are served. */
import type { IncomingMessage } from "node:http"
import { LRUCache } from "lru-cache"
import { isReserved, ownHostsOf } from "../bots/domains/ownHosts.ts"
import { isCustomDomain, plainDomain } from "../bots/publicIds.ts"
import { listBotsAt } from "../db/bots/customDomains.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { AppError, badRequest } from "../lib/errors.ts"
import { plainHost } from "../lib/plainHost.ts"
import { hasProPerks } from "../lib/plans.ts"
import { iconPath } from "./pages/pagePlace.ts"

/** What is served at a domain; without bots: workspaces have named it, and none has proven it. */
export type Site = {
  /** Public ids by path, without slashes at the ends. */
  pages: ReadonlyMap<string, string>
  botIds: ReadonlySet<string>
}

export type Sites = {
  /** The site of a request. Undefined: its host is one of the service, or no bot names it. */
  siteOf(
    request: Pick<IncomingMessage, "headers" | "headersDistinct" | "url">,
  ): Site | undefined | Promise<Site | undefined>
  /** Whether a bot is served at a domain. */
  isServed(domain: string): Promise<boolean>
  /** Reads a host again that was just proven. */
  forget(host: string): void
}

type SiteOptions = {
  db: Db
  publicUrl: string
  chatUrl?: string | undefined
  allowedOrigins: readonly string[]
}

/** Changes take effect within this time in all processes, without a word between them. */
const knownMs = 4_000
/** Hosts that are remembered, those without a site too; others are looked up at each request. */
const maxHosts = 10_000

export function createSites({ db, ...places }: SiteOptions): Sites {
  const own = ownHostsOf(places)
  // As they stand in requests: nearly all of them need no more than this.
  const { publicUrl, chatUrl } = places
  const usual = new Set([publicUrl, ...(chatUrl ? [chatUrl] : [])].map((url) => new URL(url).host))
  const known = new LRUCache<string, Site | "none">({
    max: maxHosts,
    ttl: knownMs,
    ttlResolution: 0,
    ignoreFetchAbort: true,
    perf: performance,
    fetchMethod: async (host) => (await readSite(db, host)) ?? "none",
  })
  const find = (host: string): Site | undefined | Promise<Site | undefined> => {
    // Addresses and names of one word are no domains.
    if (isReserved(own, host) || host.includes("/") || !isCustomDomain(host)) return undefined
    const found = known.get(host)
    if (found !== undefined) return found === "none" ? undefined : found
    return known.fetch(host).then((site) => (site === "none" ? undefined : site))
  }
  return {
    siteOf({ headers, headersDistinct, url = "/" }) {
      const host = url.startsWith("/") ? headers.host : (hostIn(url) ?? headers.host)
      if (host === undefined || usual.has(host) || isAddress.test(host)) return undefined
      // RFC 9112, 3.2: such a request may mean another host to a proxy than here.
      if ((headersDistinct.host?.length ?? 0) > 1)
        throw badRequest("The request has two Host headers")
      return find(plainHost(host.replace(/:\d*$/, "")))
    },
    isServed: async (domain) => ((await find(plainHost(domain)))?.botIds.size ?? 0) > 0,
    forget: (host) => void known.delete(host),
  }
}

/** IP addresses, with or without a port. */
const isAddress = /^(?:[\d.]+|\[.*\])(?::\d*)?$/

/** The host of a target in absolute form, which counts instead of the header (RFC 9112, 3.2.2). */
function hostIn(target: string): string | undefined {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(target)?.[1]
}

async function readSite(db: Db, host: string): Promise<Site | undefined> {
  const bots = await listBotsAt(db, host)
  if (bots.length === 0) return undefined
  const served = bots.filter(
    ({ isProven, publicId, plan }) => isProven && publicId && hasProPerks(plan),
  )
  return {
    pages: new Map(
      served.map(({ customDomain, publicId }) => [pathOf(customDomain), publicId ?? ""]),
    ),
    botIds: new Set(served.map(({ botId }) => botId)),
  }
}

function pathOf(customDomain: string): string {
  const [, ...path] = plainDomain(customDomain).split("/")
  return path.map((segment) => `/${segment}`).join("")
}

/** Calls of chats; the procedures behind them know of which bots. */
const chatCall = /^\/api\/(?:v[123]|trpc)\//

/**
 * The path of a request within the service. Throws a 404 for everything but the pages of the bots, the parts of
 * these pages, and calls of chats.
 */
export function pathAt(
  { pages, botIds }: Site,
  { method, path }: { method: string; path: string },
  isPart: (path: string) => boolean,
): string {
  if (botIds.size === 0) {
    throw new AppError("NOT_FOUND", "No bot is served here: its domain is not proven yet")
  }
  const publicId =
    method === "GET" || method === "HEAD" ? pages.get(path.replace(/\/$/, "")) : undefined
  if (publicId !== undefined) return `/chat/${publicId}`
  const isIcon = [...pages.values()].some((id) => path === iconPath(id))
  if (isIcon || isPart(path) || chatCall.test(path)) return path
  throw new AppError("NOT_FOUND", "There is nothing here but a chat")
}
