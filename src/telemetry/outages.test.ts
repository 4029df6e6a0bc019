/** What does not answer is named until it answers again, and does not flood the log. */
import { expect, test, vi } from "vitest"
import { createOutages } from "./outages.ts"

test("an outage is in the log at once, then once a minute, and its end too, also when it comes and goes", () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  const lines: string[] = []
  const write = (_: object, message: string) => void lines.push(message)
  const outages = createOutages({ warn: write, info: write } as never)
  outages.clear("object store")
  expect([lines, outages.levels()]).toEqual([[], {}])
  for (let second = 0; second < 90; second++) {
    outages.note("object store", new Error("refused"))
    vi.advanceTimersByTime(1_000)
  }
  expect(lines).toEqual(Array(2).fill("The object store does not answer"))
  outages.note("database node 3", "refused")
  expect(outages.list()).toEqual(["database node 3", "object store"])
  outages.clear("object store")
  outages.clear("object store")
  expect(outages.list()).toEqual(["database node 3"])
  expect(outages.levels()).toEqual({ "object store": 0, "database node 3": 1 })
  expect(lines.slice(2)).toEqual([
    "The database node 3 does not answer",
    "The object store answers again",
  ])
  lines.length = 0
  // From second 90 to 180 of the test: the last line was of second 60.
  for (let second = 0; second <= 90; second++) {
    outages.note("object store", "refused again")
    expect(outages.list()).toContain("object store")
    outages.clear("object store")
    vi.advanceTimersByTime(1_000)
  }
  const pair = ["The object store does not answer", "The object store answers again"]
  expect(lines).toEqual([...pair, ...pair])
})
