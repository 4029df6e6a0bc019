/** How the tests run: files in a few processes that load the product once, one PostgreSQL for all. */
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { patiently } from "./support/patience.ts"
import { slowestFiles } from "./support/slowestFiles.ts"

// Plans, pages and log of a single server, which a cluster has elsewhere.
const ofOneServer = [
  "conversationPlans",
  "hotUpdates",
  "manyResults",
  "plans",
  "sequentialScans",
  "wal",
].map((name) => `test/db/${name}.test.ts`)

/** A file of the checkout. */
const fileOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export default defineConfig({
  // Apps of test/client name the package; how it is packed is tested apart.
  resolve: {
    alias: {
      "@parley/client/draft": fileOf("src/client/draft.ts"),
      "@parley/client/edit": fileOf("src/client/edit.ts"),
      "@parley/client/react": fileOf("src/client/react.ts"),
      "@parley/client": fileOf("src/client.ts"),
    },
  },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: process.env.TEST_DATABASE_WORKERS ? ofOneServer : [],
    globalSetup: ["test/support/runFolder.ts", "test/support/cluster.ts", "test/support/pages.ts"],
    setupFiles: "test/support/eachFile.ts",
    pool: "forks",
    // Loading the product takes longer than most files do: a process does it once, for all its files.
    isolate: false,
    runner: "test/support/freshTestFiles.ts",
    // One more than cores: files wait for databases, browsers and processes half of their time.
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() / 2)) + 1,
    // For what hangs: a machine that is busy with other work takes many times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: patiently },
    reporters: ["default", ...(process.env.GITHUB_ACTIONS ? ["github-actions"] : []), slowestFiles],
    // Times in tests are read the same everywhere, and hints, however the tests were started.
    env: { TZ: "UTC", NODE_ENV: "test", npm_command: "test" },
  },
})
