/** The names of metrics follow the rules of Prometheus, which `promtool check metrics` checks. */
import { expect, test } from "vitest"
import { createMetrics } from "./metrics.ts"

const metrics = createMetrics()
metrics.watch({ name: "parley_watched", help: "A number", label: "of", read: () => ({ all: 1 }) })
const text = await metrics.registry.metrics()
const typed = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type]) => ({
  name,
  type,
}))

test("counters, and nothing else, end in _total", () => {
  expect(typed.length).toBeGreaterThan(20)
  for (const { name, type } of typed)
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"])
})

test("names are in snake case without the endings of histograms, and have a help text", () => {
  for (const { name } of typed) {
    expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
    expect(name).not.toMatch(/_(?:bucket|count|sum|gauge|counter|histogram)(?:_|$)/)
    expect(text).toMatch(new RegExp(`^# HELP ${name} \\w`, "m"))
  }
})

test("sums of what is active go, and the numbers by type stay", () => {
  const names = typed.map(({ name }) => name).filter((name) => name.startsWith("nodejs_active_"))
  expect(names.sort()).toEqual([
    "nodejs_active_handles",
    "nodejs_active_requests",
    "nodejs_active_resources",
  ])
})
