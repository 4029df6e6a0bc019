/** Looks at a session that is at work elsewhere become rarer, until it changes. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { untilDone } from "./takeTurn.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The waits between attempts that find these revisions, and what the last one came to. */
async function attempts(deadlineMs: number, revisions: readonly (number | "done")[]) {
  const times: number[] = []
  const outcome = untilDone(performance.now() + deadlineMs, async () => {
    const revision = revisions[times.length] ?? "done"
    times.push(performance.now())
    return revision === "done"
      ? { kind: "done", result: "stored" }
      : { kind: "superseded", revision }
  })
  await vi.runAllTimersAsync()
  const waits = times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)))
  return { waits, outcome: await outcome }
}

test("they double up to half a second, until the turn is done", async () => {
  const { waits, outcome } = await attempts(60_000, [1, 1, 1, 1, 1, 1, 1, 1, "done"])
  expect(waits).toEqual([25, 50, 100, 200, 400, 500, 500, 500])
  expect(outcome).toEqual({ kind: "done", result: "stored" })
})

test("they begin anew when the session has moved on", async () => {
  const { waits } = await attempts(60_000, [1, 1, 1, 2, 2, "done"])
  expect(waits).toEqual([25, 50, 100, 25, 50])
})

test("none goes beyond the deadline, after which nothing is attempted", async () => {
  const { waits, outcome } = await attempts(90, [1, 1, 1, 1, 1])
  expect(waits).toEqual([25, 50, 15])
  expect(outcome).toEqual({ kind: "superseded", revision: 1 })
})
