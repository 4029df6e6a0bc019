/** A service that a package runner started ends with it; one that a terminal started outlives it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { onRunnerGone } from "./parent.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const underNpm = { npm_lifecycle_event: "start" }

test("it calls once when the runner's shell is gone", () => {
  let isGone = false
  const call = vi.fn()
  onRunnerGone(underNpm, { isGone: () => isGone, call })
  vi.advanceTimersByTime(10_000)
  expect(call).not.toHaveBeenCalled()
  isGone = true
  vi.advanceTimersByTime(10_000)
  expect(call).toHaveBeenCalledTimes(1)
})

test("a service that was not started by a runner outlives its parent", () => {
  const call = vi.fn()
  onRunnerGone({}, { isGone: () => true, call })
  vi.advanceTimersByTime(10_000)
  expect(call).not.toHaveBeenCalled()
})
