/** Loaded before a server: on SIGUSR2 it prints its longest stall since the last time. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on("SIGUSR2", () => {
    process.stdout.write(`longest stall: ${(delay.max / 1e6).toFixed(1)} ms\n`)
    delay.reset()
  })
}
