/** Starts the worker thread of the sandbox, from its source or as it was built. */
import { Worker } from "node:worker_threads"
import { buildWorker } from "./buildWorker.ts"
import { compileQuickJs } from "./quickJs.ts"

/** A worker without variables of the environment. */
export function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts")
  const entry = isSource ? buildWorker() : new URL("./sandboxWorker.js", import.meta.url)
  return new Worker(entry, {
    // No variables of the environment, and nothing of what the process was started with.
    env: {},
    execArgv: [],
    workerData: compileQuickJs(),
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  })
}
