/** Finds out who calls: checks tokens, remembers what it found for seconds, and notes their use. */
import { LRUCache } from "lru-cache"
import type { Db } from "../db/connection/open.ts"
import { findTokenOwner, saveTokenUses, type TokenOwner } from "../db/people/tokens.ts"
import type { Log } from "../shared/log.ts"
import { hashToken, isToken } from "../shared/tokens.ts"
import type { Caller } from "./context.ts"

/** Who callers are, as far as this process knows. */
export type Authentication = {
  /** The owner of a token text; undefined when the token is unknown, revoked or expired. */
  findCaller(token: string): Promise<Caller | undefined>
  /** Refuses a token from now on, because it was revoked. */
  forget(tokenId: string): void
  /** Stores the uses that were not stored yet. */
  close(): Promise<void>
}

/** How to check tokens. */
export type AuthenticationOptions = {
  log: Log
  /** Mail addresses of platform admins, compared as a whole without regard to case. */
  adminEmails?: readonly string[]
  /** The clock, in milliseconds since 1970; absent: the system's. What passes is told by another. */
  now?: () => number
  /** How long uses are collected before they are stored, 5 seconds unless told. */
  flushMs?: number
}

const foundMs = 30_000
const unknownMs = 5_000
const useMs = 60_000
const maxTokens = 10_000

/** Opens the check of tokens. It asks the database once per token and 30 seconds, bounded in memory. */
export function openAuthentication(db: Db, options: AuthenticationOptions): Authentication {
  const now = options.now ?? Date.now
  // The system's clock may be set, and nothing that is remembered may last longer for that.
  const passed = options.now ?? (() => performance.now())
  const admins = new Set(options.adminEmails?.map((email) => email.trim().toLowerCase()))
  const owners = openOwners(db, passed)
  // Outlives every entry and every read under way, so that neither brings a revoked token back.
  const revoked = new LRUCache<string, true>({
    max: maxTokens,
    ttl: 2 * foundMs,
    perf: { now: passed },
  })
  const uses = openUses(db, { ...options, now })

  return {
    async findCaller(token) {
      if (!isToken(token)) return undefined
      const owner = await owners.fetch(hashToken(token).toString("base64"))
      if (!owner || owner === "unknown" || revoked.has(owner.tokenId)) return undefined
      if (owner.endsAt <= passed()) return undefined
      uses.note(owner.tokenId)
      const { userId, email, tokenId } = owner
      return { id: userId, email, isPlatformAdmin: admins.has(email), tokenId }
    },
    forget(tokenId) {
      revoked.set(tokenId, true)
    },
    close: uses.close,
  }
}

/** `endsAt` is when the token expires, by the clock of what passes. */
type Found = (TokenOwner & { endsAt: number }) | "unknown"

/** Owners by the hash of their token; concurrent questions about one token become one read. */
function openOwners(db: Db, now: () => number): LRUCache<string, Found> {
  return new LRUCache<string, Found>({
    max: maxTokens,
    ttl: foundMs,
    ttlResolution: 0,
    // An entry that is pushed out while it is read still answers those who wait for it.
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

/** Collects uses of tokens, one per token and minute, and stores them together. */
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
      // Nobody waits for it, and the next use makes up for the loss.
      .catch((error) => log.warn({ err: error }, "The last use of tokens could not be stored"))
    return storing
  }

  return {
    note(tokenId) {
      const time = now()
      if (time - (noted.get(tokenId) ?? Number.NEGATIVE_INFINITY) < useMs) return
      noted.set(tokenId, time)
      collected.set(tokenId, new Date(time))
      // A timer that waits must not keep the process alive: close() stores what is left.
      timer ??= setTimeout(flush, flushMs).unref()
    },
    close: () => flush(),
  }
}
