/** Rate limits: how much of each action one key may do, in memory or shared. */
import { createHash } from "node:crypto"
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible"
import type { Db } from "../db/connection/openDatabase.ts"
import { tooManyRequests } from "../lib/errors.ts"
import { networkOf } from "../lib/party.ts"
import type { Limit, LimitedAction, Services } from "../routers/context.ts"

/** Which limits apply: all, only those that are safe behind a gateway, or none. */
export type RateLimitMode = "on" | "default" | "off"

/** How often an action is allowed; `burst` is how many at once. */
export type Rate = { perSecond: number; burst: number }

/** Which limits there are, and where they are counted. */
type RateLimitOptions = {
  mode: RateLimitMode
  /** `memory`: each process counts for itself. `postgres`: all count together. */
  store: "memory" | "postgres"
  /** Rates that replace the usual ones, by action. */
  rates: Readonly<Record<string, Rate>>
}

/** What applies unless `PARLEY_RATES` replaces it. */
export const usualRates: Readonly<Record<LimitedAction, Rate>> = {
  management: { perSecond: 20, burst: 100 },
  heavyManagement: { perSecond: 2, burst: 20 },
  startChatByAddress: { perSecond: 5, burst: 50 },
  startChatByBot: { perSecond: 500, burst: 2_000 },
  continueChat: { perSecond: 5, burst: 10 },
  conversationMessage: { perSecond: 100, burst: 500 },
  clientLogs: { perSecond: 1, burst: 10 },
  anonymousPreview: { perSecond: 1, burst: 20 },
  failedAuthentication: { perSecond: 1, burst: 30 },
  // In five minutes and in twenty: an office signs in from one address, a person under one.
  signIn: { perSecond: 0.2, burst: 60 },
  signInByEmail: { perSecond: 0.01, burst: 12 },
  // 256 MB in the two hours that such chats live. Not chats, because a gateway starts those of thousands
  // from one address: theirs take two kilobytes each, those that fill disks a megabyte.
  unansweredKilobytes: { perSecond: 36.4, burst: 262_144 },
}

/** The message of each limit, and its remedy. */
const reasons: Record<LimitedAction, string> = {
  management: "This API token has sent too many requests; send fewer at a time",
  heavyManagement:
    "This API token has asked for too much expensive work; do one thing after the other",
  startChatByAddress: "Too many chats were started from this address; continue those that are open",
  startChatByBot: "Too many chats were started with this bot",
  continueChat: "Too many messages were sent to this chat; wait for each answer",
  conversationMessage: "This API token has sent too many messages; send fewer at a time",
  clientLogs: "Too many logs were sent to this chat; send several in one request",
  anonymousPreview: "Too many previews were started from this address; send an API token",
  failedAuthentication: "Too many invalid API tokens came from this address; check the token",
  signIn: "Too many attempts to sign in came from this address",
  signInByEmail: "There were too many attempts to sign in with this e-mail address",
  unansweredKilobytes:
    "Chats that were started from this address take too much room; answer them, or send an API token",
}

/** Chat gateways send all their users from one address, so that by default nothing else is limited. */
export const alwaysSafe: readonly LimitedAction[] = [
  "anonymousPreview",
  "failedAuthentication",
  "signIn",
  "signInByEmail",
  "unansweredKilobytes",
]

const maxKeyLength = 100
/** Seconds: the timers with which counts in memory are forgotten know no longer time, and end at once. */
const maxWindow = Math.floor((2 ** 31 - 1) / 1_000)

/**
 * Makes the limits of procedures. Throws for the rate of an unknown action. While the shared store
 * cannot be reached, counts are kept in memory.
 */
export function createLimits(
  { mode, store, rates }: RateLimitOptions,
  db?: Db,
): Services["limits"] {
  const limits = new Map<LimitedAction, Limit>()
  requireKnown(Object.keys(rates))
  for (const [action, usual] of Object.entries(usualRates) as [LimitedAction, Rate][]) {
    const isOn = mode === "on" || (mode === "default" && alwaysSafe.includes(action))
    if (!isOn) continue
    const { perSecond, burst } = rates[action] ?? usual
    // A window that admits the burst and lasts as long as the rate takes to refill it.
    const duration = Math.min(Math.ceil(burst / perSecond), maxWindow)
    const options = { keyPrefix: action, points: burst, duration }
    const memory = new RateLimiterMemory(options)
    const limiter = store === "postgres" && db ? shared(options, memory, db) : memory
    limits.set(action, limitBy(action, limiter))
  }
  return limits
}

function limitBy(action: LimitedAction, limiter: RateLimiterAbstract): Limit {
  return async (key, points, report) => {
    const { state, isRefused } = await consume(limiter, keyOf(key), points)
    const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000))
    report?.({ limit: limiter.points, remaining: state.remainingPoints, resetSeconds })
    if (isRefused) throw tooManyRequests(action, reasons[action], resetSeconds)
  }
}

function requireKnown(names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(usualRates, name))
  if (unknown === undefined) return
  const known = Object.keys(usualRates).join(", ")
  throw new Error(`PARLEY_RATES names ${unknown}, which is not counted. What is: ${known}.`)
}

type LimiterOptions = { keyPrefix: string; points: number; duration: number }

function shared(options: LimiterOptions, memory: RateLimiterMemory, db: Db): RateLimiterAbstract {
  const query = async (statement: { name?: string; text: string; values?: unknown[] }) => {
    const { name = "rate_limits", text, values = [] } = statement
    return { rows: await db.run({ name, text }, values) }
  }
  return new RateLimiterPostgres({
    ...options,
    storeClient: { query },
    storeType: "client",
    tableName: "rate_limits",
    // Created by a migration; a job purges expired rows.
    tableCreated: true,
    clearExpiredByTimeout: false,
    // A key over its limit costs no statements until the window ends.
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: memory,
  })
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  points: number,
): Promise<{ state: RateLimiterRes; isRefused: boolean }> {
  try {
    return { state: await limiter.consume(key, points), isRefused: false }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return { state: refused, isRefused: true }
  }
}

/** Keys come from callers: an address counts as its network, and long ones are replaced by their hash. */
function keyOf(key: string): string {
  if (key.length > maxKeyLength) return createHash("sha256").update(key).digest("hex")
  return networkOf(key)
}
