/** Finds the program of a worker thread: bundled from source, or in the build. */
import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const isSource = import.meta.url.endsWith(".ts")
const bundled = new Map<string, URL>()

/** The file to start; `source` is the TypeScript file, relative to this one, `name` its bundle in `dist`. */
export function threadEntry(source: string, name: string): URL {
  if (!isSource) return new URL(`./${name}.js`, import.meta.url)
  const known = bundled.get(source) ?? bundle(new URL(source, import.meta.url))
  bundled.set(source, known)
  return known
}

/** Bundles a source file: loading TypeScript in every thread would take five times as long as starting it. */
function bundle(source: URL): URL {
  const { buildSync }: typeof import("esbuild") = createRequire(import.meta.url)("esbuild")
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
  })
  const code = outputFiles[0]?.text ?? ""
  // In node_modules, because the bundle imports packages.
  const folder = new URL("../../../node_modules/.cache/parley/", import.meta.url)
  const file = new URL(`${createHash("sha256").update(code).digest("hex")}.js`, folder)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const unfinished = new URL(`${randomUUID()}.js`, folder)
  writeFileSync(unfinished, code)
  renameSync(unfinished, file)
  return file
}
