/** Builds the worker of the sandbox where the service runs from its source. */
import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

let built: URL | undefined

/** The built file. To load TypeScript in every thread would take five times as long as to start it. */
export function buildWorker(): URL {
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
  // Under the packages, because it imports some.
  const folder = new URL("../../../node_modules/.cache/parley/", import.meta.url)
  const file = new URL(`${createHash("sha256").update(code).digest("hex")}.js`, folder)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const unfinished = new URL(`${randomUUID()}.js`, folder)
  writeFileSync(unfinished, code)
  renameSync(unfinished, file)
  return file
}
