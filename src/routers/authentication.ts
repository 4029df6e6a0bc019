/** Authenticates callers: checks tokens, caches their owners for seconds, and records their use. */
import { LRUCache } from "lru-cache"
import type { Db } from "../db/connection/open.ts"
import { findTokenOwner, saveTokenUses, type TokenOwner } from "../db/people/tokens.ts"
import type { Log } from "../telemetry/log.ts"
import { hashToken, isToken } from "./apiTokens.ts"
import type { Caller, Grant } from "./context.ts"

/** The authentication of a process. */
type Authentication = {
  /** The owner of a token. Resolves to undefined when it is unknown, revoked or expired. */
  findCaller(token: string): Promise<Caller | undefined>
  /** Refuses a revoked token from now on. */
  forget(tokenId: string): void
  /** Stores pending uses. */
  close(): Promise<void>
}

/** How tokens are checked. */
type AuthenticationOptions = {
  log: Log
  /** Mail addresses of platform admins, compared without regard to case. */
  adminEmails?: readonly string[]
  /** The clock, in milliseconds since 1970; absent: the system's, and a monotonic one for durations. */
  now?: () => number
  /** How long uses are collected before they are stored, 5 seconds by default. */
  flushMs?: number
}

const foundMs = 30_000
const unknownMs = 5_000
const useMs = 60_000
const maxTokens = 10_000

/** Opens authentication. It reads each token once in 30 seconds, with bounded memory. */
export function openAuthentication(db: Db, options: AuthenticationOptions): Authentication {
  const now = options.now ?? Date.now
  // The system's clock may be set back, which must not prolong what is cached.
  const monotonicNow = options.now ?? (() => performance.now())
  const admins = new Set(options.adminEmails?.map((email) => email.trim().toLowerCase()))
  const owners = openOwners(db, monotonicNow)
  // Outlives cached entries and running reads, so that neither revives a revoked token.
  const revoked = new LRUCache<string, true>({
    max: maxTokens,
    ttl: 2 * foundMs,
    perf: { now: monotonicNow },
  })
  const uses = openUses(db, { ...options, now })

  return {
    async findCaller(token) {
      if (!isToken(token)) return undefined
      const owner = await owners.fetch(hashToken(token).toString("base64"))
      if (!owner || owner === "unknown" || revoked.has(owner.tokenId)) return undefined
      if (owner.endsAt <= monotonicNow()) return undefined
      uses.note(owner.tokenId)
      const { userId, email, tokenId } = owner
      const grant = grantOf(owner)
      const who = { id: userId, email, isPlatformAdmin: admins.has(email), tokenId }
      return grant === undefined ? who : { ...who, grant }
    },
    forget(tokenId) {
      revoked.set(tokenId, true)
    },
    close: uses.close,
  }
}

/** The limits of a token. Returns undefined when it has none. */
function grantOf({ scopes, workspaceId, botIds, expiresAt }: TokenOwner): Grant | undefined {
  const isLimited = scopes !== null || workspaceId !== null || botIds !== null || expiresAt !== null
  return isLimited ? { scopes, workspaceId, botIds, expiresAt } : undefined
}

/** `endsAt` is when the token expires, by the monotonic clock. */
type CachedOwner = (TokenOwner & { endsAt: number }) | "unknown"

/** Owners by the hash of their token; concurrent requests share one read. */
function openOwners(db: Db, now: () => number): LRUCache<string, CachedOwner> {
  return new LRUCache<string, CachedOwner>({
    max: maxTokens,
    ttl: foundMs,
    ttlResolution: 0,
    // An entry that is evicted during its read still answers those who wait for it.
    ignoreFetchAbort: true,
    perf: { now },
    fetchMethod: async (hash, _stale, { options }) => {
      const owner = await findTokenOwner(db, Buffer.from(hash, "base64"))
      if (owner !== undefined) {
        return { ...owner, endsAt: now() + (owner.expiresInMs ?? Number.POSITIVE_INFINITY) }
      }
      options.ttl = unknownMs
      return "unknown"
    },
  })
}

/** Collects uses of tokens, one per token and minute, and stores them in batches. */
function openUses(
  db: Db,
  { log, now, flushMs = 5_000 }: AuthenticationOptions & { now: () => number },
): { note(tokenId: string): void; close(): Promise<void> } {
  const noted = new LRUCache<string, number>({ max: maxTokens })
  let collected = new Map<string, Date>()
  let timer: NodeJS.Timeout | undefined
  let storing = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const uses = [...collected].map(([tokenId, usedAt]) => ({ tokenId, usedAt }))
    collected = new Map()
    if (uses.length === 0) return storing
    storing = storing
      .then(() => saveTokenUses(db, uses))
      // Not worth failing for: the next use makes up for it.
      .catch((error) => log.warn({ err: error }, "The last use of tokens could not be stored"))
    return storing
  }

  return {
    note(tokenId) {
      const time = now()
      if (time - (noted.get(tokenId) ?? Number.NEGATIVE_INFINITY) < useMs) return
      noted.set(tokenId, time)
      collected.set(tokenId, new Date(time))
      // The timer must not keep the process alive: close() stores what is left.
      timer ??= setTimeout(flush, flushMs).unref()
    },
    close: () => flush(),
  }
}
