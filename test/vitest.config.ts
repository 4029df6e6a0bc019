/** How the tests run: files in parallel processes, one PostgreSQL server for all of them. */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import type { Reporter } from "vitest/node"

// Plans, pages and log of a single server, which a cluster has elsewhere.
const ofOneServer = [
  "conversationPlans",
  "hotUpdates",
  "manyResults",
  "plans",
  "sequentialScans",
  "wal",
].map((name) => `test/db/${name}.test.ts`)

/** Vitest's own reporters name a test that passed on its second try only when it was slow. */
const retries: Reporter = {
  onTestRunEnd(modules) {
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const name = `${module.relativeModuleId} > ${test.fullName}`
        if (test.diagnostic()?.flaky) console.warn(`Passed on the second try: ${name}`)
      }
    }
  },
}

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: process.env.TEST_DATABASE_WORKERS ? ofOneServer : [],
    globalSetup: ["test/support/cluster.ts", "test/support/pages.ts"],
    pool: "forks",
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() / 2)),
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // Machines that check a change are shared: what depends on time is tried once more, and named
    // before the summary. Without reporters of ours, Vitest chooses its own.
    retry: process.env.CI ? 1 : 0,
    reporters: process.env.CI
      ? [retries, "default", ...(process.env.GITHUB_ACTIONS ? ["github-actions"] : [])]
      : [],
    // Times in tests are read the same everywhere.
    env: { TZ: "UTC", NODE_ENV: "test" },
  },
})
