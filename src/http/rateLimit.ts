/** Rate limits: how much of each action one key may do (api.md 10.2), in memory or shared. */
import { createHash } from "node:crypto"
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible"
import type { Db } from "../db/open.ts"
import { tooManyRequests } from "../errors.ts"
import type { LimitedAction, Services } from "../routers/context.ts"

/** Which limits are in force: all, the two that are safe behind a gateway, or none. */
export type RateLimitMode = "on" | "default" | "off"

/** How often something may be done; `burst` of them at once. */
export type Rate = { perSecond: number; burst: number }

/** What limits there are and where they are counted. */
export type RateLimitOptions = {
  mode: RateLimitMode
  /** `memory`: each process counts for itself. `postgres`: all count together. */
  store: "memory" | "postgres"
  /** Other rates than the usual ones, by action. */
  rates: Readonly<Record<string, Rate>>
}

const usualRates: Record<LimitedAction, Rate> = {
  management: { perSecond: 20, burst: 100 },
  heavyManagement: { perSecond: 2, burst: 20 },
  startChatByAddress: { perSecond: 5, burst: 50 },
  startChatByBot: { perSecond: 500, burst: 2_000 },
  continueChat: { perSecond: 5, burst: 10 },
  clientLogs: { perSecond: 1, burst: 10 },
  anonymousPreview: { perSecond: 1, burst: 20 },
  failedAuthentication: { perSecond: 1, burst: 30 },
}

// Chat gateways send all their users from one address: nothing else is limited unless told.
const alwaysSafe: readonly LimitedAction[] = ["anonymousPreview", "failedAuthentication"]

const longestKey = 100

/**
 * Makes the `limit` service of procedures. Throws when a rate is given for something that is not
 * counted. A shared count that cannot be reached is made up for in memory.
 */
export function createLimit({ mode, store, rates }: RateLimitOptions, db?: Db): Services["limit"] {
  const limiters = new Map<LimitedAction, RateLimiterAbstract>()
  requireKnown(Object.keys(rates))
  for (const [action, usual] of Object.entries(usualRates) as [LimitedAction, Rate][]) {
    const isOn = mode === "on" || (mode === "default" && alwaysSafe.includes(action))
    const options = optionsOf(action, rates[action] ?? usual)
    if (!isOn) continue
    const memory = new RateLimiterMemory(options)
    limiters.set(action, store === "postgres" && db ? shared(options, memory, db) : memory)
  }
  return async (action, key, report) => {
    const limiter = limiters.get(action)
    if (limiter === undefined) return
    const { state, isRefused } = await consume(limiter, keyOf(key))
    const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000))
    report?.({ limit: limiter.points, remaining: state.remainingPoints, resetSeconds })
    if (isRefused) throw tooManyRequests(resetSeconds)
  }
}

function requireKnown(names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(usualRates, name))
  if (unknown === undefined) return
  const known = Object.keys(usualRates).join(", ")
  throw new Error(`PARLEY_RATES names ${unknown}, which is not counted. What is: ${known}.`)
}

type Options = { keyPrefix: string; points: number; duration: number }

// A window that holds the burst and lasts as long as the rate needs to refill it.
function optionsOf(action: LimitedAction, { perSecond, burst }: Rate): Options {
  return { keyPrefix: action, points: burst, duration: Math.ceil(burst / perSecond) }
}

function shared(options: Options, memory: RateLimiterMemory, db: Db): RateLimiterAbstract {
  const query = async (statement: { name?: string; text: string; values?: unknown[] }) => {
    const { name = "rate_limits", text, values = [] } = statement
    return { rows: await db.run({ name, text }, values) }
  }
  return new RateLimiterPostgres({
    ...options,
    storeClient: { query },
    storeType: "client",
    tableName: "rate_limits",
    // By a migration; a job deletes what has expired.
    tableCreated: true,
    clearExpiredByTimeout: false,
    // Whoever is over the limit costs no statements until the window ends.
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: memory,
  })
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ state: RateLimiterRes; isRefused: boolean }> {
  try {
    return { state: await limiter.consume(key), isRefused: false }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return { state: refused, isRefused: true }
  }
}

/** Keys come from callers: what is long is replaced by its hash. */
function keyOf(key: string): string {
  return key.length <= longestKey ? key : createHash("sha256").update(key).digest("hex")
}
