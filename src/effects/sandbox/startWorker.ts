/** Starts the worker threads of the sandbox, from source or as built, with QuickJS compiled once. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Worker } from "node:worker_threads"
import { threadEntry } from "./threadEntry.ts"

/** A worker with no access to the environment. */
export function startWorker(): Worker {
  return new Worker(threadEntry("./worker.ts", "sandboxWorker"), {
    // No environment variables, and none of the options of this process.
    env: {},
    execArgv: [],
    workerData: compileQuickJs(),
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  })
}

// Missing in the declarations of Node.
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => WebAssembly.Module }
}

let compiled: WebAssembly.Module | undefined

/** The compiled module, which is sent to threads so that they start sooner. */
export function compileQuickJs(): WebAssembly.Module {
  const path = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm")
  compiled ??= new webAssembly.Module(readFileSync(path))
  return compiled
}
