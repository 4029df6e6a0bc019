/** Starts the worker threads of the sandbox, for which QuickJS is compiled only once. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Worker } from "node:worker_threads"
import { threadEntry } from "./threadEntry.ts"

/** Starts a worker without access to the environment. */
export function startWorker(givesWay = false): Worker {
  return new Worker(threadEntry("./sandboxWorker.ts", "sandboxWorker"), {
    // No environment variables, and none of the options of this process.
    env: {},
    execArgv: [],
    workerData: { quickJs: compileQuickJs(), givesWay },
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  })
}

// Missing in Node's type declarations.
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => WebAssembly.Module }
}

let compiled: WebAssembly.Module | undefined

/** Compiles QuickJS; the module is sent to threads so that they start sooner. */
export function compileQuickJs(): WebAssembly.Module {
  const path = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm")
  compiled ??= new webAssembly.Module(readFileSync(path))
  return compiled
}
