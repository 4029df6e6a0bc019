/** What does not answer is named until it answers again, and does not flood the log. */
import { expect, test, vi } from "vitest"
import { openOutages } from "./outages.ts"

test("an outage is in the log at once, then once a minute, and its end too", () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  const lines: string[] = []
  const write = (_: object, message: string) => void lines.push(message)
  const outages = openOutages({ warn: write, info: write } as never)
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
  outages.note("object store", "refused again")
  expect(lines.at(-1)).toBe("The object store does not answer")
})
