/** Holds the rate limits to the modes that operators choose between. */
import { expect, test, vi } from "vitest"
import type { LimitedAction } from "../routers/context.ts"
import { createLimits, type RateLimitMode } from "./rateLimit.ts"

async function refusals(mode: RateLimitMode, action: LimitedAction, key: string): Promise<number> {
  const limit = createLimits({ mode, store: "memory", rates: {} }).get(action)
  const attempts = Array.from({ length: 120 }, () => limit?.(key, 1))
  const outcomes = await Promise.allSettled(attempts)
  return outcomes.filter(({ status }) => status === "rejected").length
}

test("by default only previews without a token and failed authentication are limited", async () => {
  expect(await refusals("default", "anonymousPreview", "a")).toBe(100)
  expect(await refusals("default", "failedAuthentication", "a")).toBe(90)
  expect(await refusals("default", "startChatByAddress", "a")).toBe(0)
  expect(await refusals("default", "management", "a")).toBe(0)
})

test("on limits everything, off nothing", async () => {
  expect(await refusals("on", "startChatByAddress", "a")).toBe(70)
  expect(await refusals("on", "management", "a")).toBe(20)
  expect(await refusals("off", "failedAuthentication", "a")).toBe(0)
})

test("keys are counted apart, and a refusal tells when to come back", async () => {
  const limit = createLimits({ mode: "on", store: "memory", rates: {} }).get("continueChat")
  for (let count = 0; count < 10; count++) await limit?.("one", 1)
  await limit?.("two", 1)
  await expect(limit?.("one", 1)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    data: { limit: "continueChat", retryAfter: 2 },
  })
})

test("all addresses that a provider gives one customer are counted together", async () => {
  const limit = createLimits({ mode: "default", store: "memory", rates: {} }).get("signIn")
  for (let count = 0; count < 60; count++) await limit?.(`2001:db8::${count}`, 1)
  await expect(limit?.("2001:db8::1:2:3:4", 1)).rejects.toMatchObject({ data: { limit: "signIn" } })
  await limit?.("2001:db8:0:1::1", 1)
})

test("the operator may set other rates, for what is counted", async () => {
  const rates = { continueChat: { perSecond: 1, burst: 3 } }
  const limit = createLimits({ mode: "on", store: "memory", rates }).get("continueChat")
  const told: number[] = []
  const count = async () => limit?.("a", 1, ({ remaining }) => told.push(remaining))
  for (let n = 0; n < 3; n++) await count()
  await expect(count()).rejects.toMatchObject({ data: { retryAfter: 3 } })
  expect(told).toEqual([2, 1, 0, 0])
  const wrong = { sleeping: { perSecond: 1, burst: 3 } }
  expect(() => createLimits({ mode: "off", store: "memory", rates: wrong })).toThrow(
    "PARLEY_RATES names sleeping",
  )
})

test("a limit that takes months to refill is one all the same", async () => {
  const rates = { continueChat: { perSecond: 0.001, burst: 5_000 } }
  const limit = createLimits({ mode: "on", store: "memory", rates }).get("continueChat")
  vi.useFakeTimers()
  await limit?.("a", 5_000)
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(limit?.("a", 1)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" })
})
