/** Starts the worker threads of the sandbox, from source or as built, with QuickJS compiled once. */
import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"

/** A worker with no access to the environment. */
export function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts")
  const entry = isSource ? buildWorker() : new URL("./sandboxWorker.js", import.meta.url)
  return new Worker(entry, {
    // No environment variables, and none of the options of this process.
    env: {},
    execArgv: [],
    workerData: compileQuickJs(),
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  })
}

let built: URL | undefined

/** The bundled source. Loading TypeScript in every thread would take five times as long as starting it. */
function buildWorker(): URL {
  built ??= build()
  return built
}

function build(): URL {
  const { buildSync }: typeof import("esbuild") = createRequire(import.meta.url)("esbuild")
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("./worker.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
  })
  const code = outputFiles[0]?.text ?? ""
  // Below node_modules, because it imports packages.
  const folder = new URL("../../../node_modules/.cache/parley/", import.meta.url)
  const file = new URL(`${createHash("sha256").update(code).digest("hex")}.js`, folder)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const unfinished = new URL(`${randomUUID()}.js`, folder)
  writeFileSync(unfinished, code)
  renameSync(unfinished, file)
  return file
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
