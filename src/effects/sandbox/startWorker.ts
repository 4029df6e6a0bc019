/** Starts the worker thread of the sandbox, from its source or as it was built. */
import { Worker } from "node:worker_threads"
import { compileQuickJs } from "./quickJs.ts"

/** A worker without variables of the environment. */
export function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts")
  const entry = isSource ? fromSource() : new URL("./sandboxWorker.js", import.meta.url)
  return new Worker(entry, {
    // No variables of the environment, and nothing of what the process was started with.
    env: {},
    execArgv: [],
    eval: isSource,
    workerData: compileQuickJs(),
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  })
}

/** Code that starts the worker from its TypeScript: Node 20 takes no loader for a thread. */
function fromSource(): string {
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"))
  const entry = JSON.stringify(new URL("./worker.ts", import.meta.url).href)
  return `import(${loader}).then(({ register }) => { register(); return import(${entry}) })`
}
