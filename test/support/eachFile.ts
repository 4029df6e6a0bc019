/**
 * Leaves nothing of a test file to the next one, which runs in the same process, and lets random tests
 * draw the same in every run: `TEST_SEED` draws others, as every night does.
 */
import { setImmediate } from "node:timers/promises"
import fc from "fast-check"
import { afterAll, vi } from "vitest"

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) })

// Registered first, so it runs last: services still stop with the environment of their file.
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  process.exitCode = undefined
  await loopsToEnd()
})

/** A loop that went on would take a core from the next files, and run under their fake timers. */
async function loopsToEnd(): Promise<void> {
  for (let round = 0; round < 1_000; round += 1) {
    await setImmediate()
    if (!process.getActiveResourcesInfo().includes("Immediate")) return
  }
  throw new Error("This file leaves a loop of setImmediate behind, which goes on: end it")
}
