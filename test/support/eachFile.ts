/**
 * Leaves nothing of a test file to the next one, which runs in the same process, and lets random tests
 * draw the same in every run: `TEST_SEED` draws others, as every night does.
 */
import fc from "fast-check"
import { afterAll, vi } from "vitest"

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) })

// Registered first, so it runs last: services still stop with the environment of their file.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  process.exitCode = undefined
})
