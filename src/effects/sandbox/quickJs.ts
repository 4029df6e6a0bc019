/** The WebAssembly of QuickJS, compiled once for all threads. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

// Node has it, but its declarations do not say so.
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => WebAssembly.Module }
}

let compiled: WebAssembly.Module | undefined

/** The compiled module; it can be sent to threads, which then start sooner. */
export function compileQuickJs(): WebAssembly.Module {
  const path = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm")
  compiled ??= new webAssembly.Module(readFileSync(path))
  return compiled
}
