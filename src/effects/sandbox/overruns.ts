/** Remembers parties whose scripts recently exceeded their short time. */
import { LRUCache } from "lru-cache"
import { isCrowd, type Party } from "../../lib/party.ts"

export type Overruns = ReturnType<typeof rememberOverruns>

export type OverrunLimits = {
  /** Number of overruns without an effect. */
  allowed: number
  /** Time after which one overrun is forgotten. */
  forgetMs: number
  /** Max parties remembered; beyond, the one with the oldest overrun is forgotten. */
  parties: number
  now: () => number
}

/** Beginning with the long ones costs an author nothing as long as no one else needs their thread. */
const defaults: OverrunLimits = { allowed: 1, forgetMs: 30_000, parties: 10_000, now: Date.now }

/** Remembers nothing yet. */
export function rememberOverruns(options: Partial<OverrunLimits> = {}) {
  const { allowed, forgetMs, parties, now } = { ...defaults, ...options }
  /** When all overruns of a party will be forgotten. */
  const forgotten = new LRUCache<string, number>({ max: parties })
  const most = (allowed + 1) * forgetMs
  const leftMs = (key: string) => (forgotten.peek(key) ?? 0) - now()
  return {
    /** Counts a script of a party that did not end in its short time. */
    count(party: Party) {
      const key = keyOf(party)
      const left = Math.min(Math.max(0, leftMs(key)) + forgetMs, most)
      forgotten.set(key, now() + left)
    },
    /** Whether a party has so many of them that its scripts begin where long ones are. */
    isLong: (party: Party) => leftMs(keyOf(party)) > allowed * forgetMs,
  }
}

/** Strangers have nothing in common, so each counts on their own. */
function keyOf(party: Party): string {
  return isCrowd(party) ? `${party.owner} ${party.part}` : party.owner
}
