/** Authenticates callers: checks tokens and sessions, caches their owners for seconds, records their use. */
import { LRUCache } from "lru-cache"
import type { Db } from "../db/connection/openDatabase.ts"
import { findTokenOwner, saveUses, type TokenOwner, type TokenUse } from "../db/people/tokens.ts"
import { findSessionOwner, type SessionOwner } from "../db/people/userSessions.ts"
import type { Log } from "../telemetry/log.ts"
import { hashToken, isSessionSecret, isToken } from "./apiTokens.ts"
import type { Caller, Grant } from "./caller.ts"
import { plainEmail } from "./mailAddress.ts"

/** How tokens are checked. */
type AuthenticationOptions = {
  log: Log
  /** Mail addresses of platform admins, in any spelling. */
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

/** Opens authentication. It reads each token and session once in 30 seconds, with bounded memory. */
export function openAuthentication(db: Db, options: AuthenticationOptions) {
  const now = options.now ?? Date.now
  // The system's clock may be set back, which must not prolong what is cached.
  const monotonicNow = options.now ?? (() => performance.now())
  const admins = new Set(options.adminEmails?.map(plainEmail))
  const tokens = createOwners((hash) => findTokenOwner(db, hash), monotonicNow)
  const sessions = createOwners((hash) => findSessionOwner(db, hash), monotonicNow)
  // Outlives cached entries and running reads, so that neither revives a revoked token.
  const revoked = new LRUCache<string, true>({
    max: maxTokens,
    ttl: 2 * foundMs,
    perf: { now: monotonicNow },
  })
  const tokenUses = openUses((uses) => saveUses(db, "api_tokens", uses), { ...options, now })
  const sessionUses = openUses((uses) => saveUses(db, "user_sessions", uses), { ...options, now })

  const ownerOf = async <Owner extends SessionOwner>(owners: Owners<Owner>, secret: string) => {
    const owner = await owners.fetch(hashToken(secret).toString("base64"))
    if (!owner || owner === "unknown" || revoked.has(owner.tokenId)) return undefined
    return owner.endsAt <= monotonicNow() ? undefined : owner
  }
  const whoIs = ({ userId: id, email, tokenId }: SessionOwner) => {
    return { id, email, isPlatformAdmin: admins.has(email), tokenId }
  }
  return {
    /** The owner of a token. Resolves to undefined when it is unknown, revoked or expired. */
    async findCaller(token: string): Promise<Caller | undefined> {
      const owner = isToken(token) ? await ownerOf(tokens, token) : undefined
      if (owner === undefined) return undefined
      tokenUses.note(owner.tokenId)
      const grant = grantOf(owner)
      return grant === undefined ? whoIs(owner) : { ...whoIs(owner), grant }
    },
    /** The person whose session a cookie names. Resolves to undefined when it is unknown or has ended. */
    async findSignedIn(secret: string): Promise<Caller | undefined> {
      const owner = isSessionSecret(secret) ? await ownerOf(sessions, secret) : undefined
      if (owner === undefined) return undefined
      sessionUses.note(owner.tokenId)
      return { ...whoIs(owner), isSignedIn: true }
    },
    /** Refuses a revoked token, or a session that has ended, from now on. */
    forget(id: string) {
      revoked.set(id, true)
    },
    /** Stores pending uses. */
    async close() {
      await Promise.all([tokenUses.close(), sessionUses.close()])
    },
  }
}

/** The limits of a token. Returns undefined when it has none. */
function grantOf({ scopes, workspaceId, botIds, expiresAt }: TokenOwner): Grant | undefined {
  const isLimited = scopes !== null || workspaceId !== null || botIds !== null || expiresAt !== null
  return isLimited ? { scopes, workspaceId, botIds, expiresAt } : undefined
}

/** Owners by the hash of what names them; `endsAt` is when that expires, by the monotonic clock. */
type Owners<Owner> = LRUCache<string, (Owner & { endsAt: number }) | "unknown">

/** Finds owners; concurrent requests share one read. */
function createOwners<Owner extends SessionOwner>(
  find: (hash: Buffer) => Promise<Owner | undefined>,
  now: () => number,
): Owners<Owner> {
  return new LRUCache({
    max: maxTokens,
    ttl: foundMs,
    ttlResolution: 0,
    // An entry that is evicted during its read still answers those who wait for it.
    ignoreFetchAbort: true,
    perf: { now },
    fetchMethod: async (hash, _stale, { options }) => {
      const owner = await find(Buffer.from(hash, "base64"))
      if (owner !== undefined) {
        return { ...owner, endsAt: now() + (owner.expiresInMs ?? Number.POSITIVE_INFINITY) }
      }
      options.ttl = unknownMs
      return "unknown"
    },
  })
}

/** Collects uses, one per token or session and minute, and stores them in batches. */
function openUses(
  save: (uses: readonly TokenUse[]) => Promise<void>,
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
      .then(() => save(uses))
      // Not worth failing for: the next use makes up for it.
      .catch((error) =>
        log.warn({ err: error }, "The last use of tokens or sessions could not be stored"),
      )
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
