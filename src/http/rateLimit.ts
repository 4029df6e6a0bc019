/** Rate limits in memory: how much of each action one key may do (api.md 10.2). */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import { tooManyRequests } from "../errors.ts"
import type { LimitedAction, Services } from "../routers/context.ts"

/** Which limits are in force: all, the two that are safe behind a gateway, or none. */
export type RateLimitMode = "on" | "default" | "off"

type Rate = { perSecond: number; burst: number }

const rates: Record<LimitedAction, Rate> = {
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

/** Makes the `limit` service of procedures. */
export function createLimit(mode: RateLimitMode): Services["limit"] {
  const limiters = new Map<LimitedAction, RateLimiterMemory>()
  for (const [action, rate] of Object.entries(rates) as [LimitedAction, Rate][]) {
    const isOn = mode === "on" || (mode === "default" && alwaysSafe.includes(action))
    if (isOn) limiters.set(action, limiterOf(rate))
  }
  return async (action, key) => {
    try {
      await limiters.get(action)?.consume(key)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      throw tooManyRequests(Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)))
    }
  }
}

// A window that holds the burst and lasts as long as the rate needs to refill it.
function limiterOf({ perSecond, burst }: Rate): RateLimiterMemory {
  return new RateLimiterMemory({ points: burst, duration: Math.ceil(burst / perSecond) })
}
