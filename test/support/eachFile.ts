/** Leaves nothing of a test file to the next one, which runs in the same process. */
import { afterAll, vi } from "vitest"

// Registered first, so it runs last: services still stop with the environment of their file.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  process.exitCode = undefined
})
