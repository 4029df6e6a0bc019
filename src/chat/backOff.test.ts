/** Looks at a session that is at work elsewhere become rarer, until it changes. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openBackOff } from "./backOff.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function waitsOf(deadlineMs: number, revisions: readonly number[]): Promise<number[]> {
  const backOff = openBackOff(performance.now() + deadlineMs)
  const waits: number[] = []
  for (const revision of revisions) {
    const startedAt = performance.now()
    const waited = backOff(revision)
    await vi.runAllTimersAsync()
    await waited
    waits.push(Math.round(performance.now() - startedAt))
  }
  return waits
}

test("they double up to half a second", async () => {
  const revisions = Array.from({ length: 8 }, () => 1)
  expect(await waitsOf(60_000, revisions)).toEqual([25, 50, 100, 200, 400, 500, 500, 500])
})

test("they begin anew when the session has moved on", async () => {
  expect(await waitsOf(60_000, [1, 1, 1, 2, 2])).toEqual([25, 50, 100, 25, 50])
})

test("none goes beyond the deadline", async () => {
  expect(await waitsOf(90, [1, 1, 1, 1])).toEqual([25, 50, 15, 0])
})
