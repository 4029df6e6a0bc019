/** How the tests run: files in parallel processes, one PostgreSQL server for all of them. */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// Plans, pages and log of a single server, which a cluster has elsewhere.
const ofOneServer = ["hotUpdates", "plans", "sequentialScans", "wal"].map(
  (name) => `test/db/${name}.test.ts`,
)

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
    // Machines that check a change are shared: what depends on time is tried once more, and named.
    retry: process.env.CI ? 1 : 0,
    // Times in tests are read the same everywhere.
    env: { TZ: "UTC", NODE_ENV: "test" },
  },
})
