/**
 * Writes the package `@parley/client`, which needs neither the service nor its dependencies:
 * `tsx scripts/clientPackage/writePackage.ts <folder>`.
 */
import { execFile } from "node:child_process"
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"
import { appRouter } from "../../src/routers/app.ts"
import { routerTypes } from "./routerTypes.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const source = join(root, "src/client.ts")
const routerSource = '"./routers/app.ts"'

/** Writes the package into a folder, which is emptied first. */
export async function writeClientPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await Promise.all([
    writeManifest(folder),
    writeDeclarations(folder),
    copyFile(join(root, "scripts/clientPackage/README.md"), join(folder, "README.md")),
    build({
      entryPoints: [source],
      outfile: join(folder, "index.js"),
      bundle: true,
      packages: "external",
      platform: "neutral",
      target: "es2022",
      format: "esm",
      logLevel: "warning",
    }),
  ])
}

async function writeManifest(folder: string): Promise<void> {
  const { version, license, engines, dependencies } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  )
  const manifest = {
    name: "@parley/client",
    version,
    description: "Calls a Parley service, every procedure checked by the compiler.",
    license,
    type: "module",
    sideEffects: false,
    engines,
    main: "./index.js",
    types: "./index.d.ts",
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./package.json": "./package.json",
    },
    files: ["index.js", "index.d.ts", "router.d.ts"],
    dependencies: { superjson: dependencies.superjson },
    // The types of @trpc/client are made of those of @trpc/server.
    peerDependencies: { "@trpc/client": "^11.0.0", "@trpc/server": "^11.0.0" },
  }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The declarations of src/client.ts, emitted beside the router as plain types instead of its sources. */
async function writeDeclarations(folder: string): Promise<void> {
  await writeFile(join(folder, "router.d.ts"), routerTypes(appRouter))
  // Within the checkout, where the compiler finds the packages that the client imports.
  const work = await mkdtemp(join(root, "node_modules/.parley-client-"))
  try {
    const text = await readFile(source, "utf8")
    if (text.split(routerSource).length !== 2) {
      throw new Error(`src/client.ts must name ${routerSource} exactly once`)
    }
    const names = 'export type * from "./router.js"\n'
    await writeFile(join(work, "index.ts"), text.replace(routerSource, '"./router.js"') + names)
    await copyFile(join(folder, "router.d.ts"), join(work, "router.d.ts"))
    const compiler = join(root, "node_modules/typescript/bin/tsc")
    const output = ["--outDir", folder, "--declaration", "--emitDeclarationOnly"]
    const modules = ["--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--types", ""]
    const options = [...output, ...modules, "--strict", "--ignoreConfig"]
    await promisify(execFile)(process.execPath, [compiler, join(work, "index.ts"), ...options])
  } finally {
    await rm(work, { recursive: true })
  }
}

const [program, given] = process.argv.slice(1)
if (program === fileURLToPath(import.meta.url)) {
  if (given === undefined) throw new Error("Name the folder to write")
  await writeClientPackage(given)
}
