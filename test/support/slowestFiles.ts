/** Prints, once all tests have run, the files that took longest. */
import type { Reporter, TestModule } from "vitest/node"

const shown = 10

export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= shown) return
    const times = modules.map((module) => ({ name: module.relativeModuleId, ms: msOf(module) }))
    const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, shown)
    const lines = slowest.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`)
    console.log(`\nThe ${shown} slowest files:\n${lines.join("\n")}`)
  },
}

/** Loading, preparing and running a file. */
function msOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return collectDuration + setupDuration + duration
}
