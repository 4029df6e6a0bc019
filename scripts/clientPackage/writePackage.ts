/**
 * Writes the package `@parley/client`, which needs neither the service nor its dependencies:
 * `tsx scripts/clientPackage/writePackage.ts <folder>`.
 */
import { execFile } from "node:child_process"
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type BuildOptions, build } from "esbuild"
import { appRouter } from "../../src/routers/app.ts"
import { routerTypes } from "./routerTypes.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
/** What programs import, beside the package itself: `@parley/client/edit`. */
const subpaths = ["draft", "edit", "react"]
const entryPoints = {
  index: join(root, "src/client.ts"),
  ...Object.fromEntries(subpaths.map((name) => [name, join(root, `src/client/${name}.ts`)])),
}

/** Writes the package into a folder, which is emptied first. */
export async function writeClientPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, "cjs"), { recursive: true })
  await Promise.all([
    writeManifest(folder),
    writeDeclarations(folder),
    cp(join(root, "scripts/clientPackage/README.md"), join(folder, "README.md")),
    bundle({ outdir: folder, format: "esm", packages: "external" }),
    // What is an ES module alone is part of the bundle that is required.
    bundle({ outdir: join(folder, "cjs"), format: "cjs", external: ["@trpc/*", "react"] }),
    writeFile(join(folder, "cjs/package.json"), '{ "type": "commonjs" }\n'),
  ])
}

const bundle = (options: BuildOptions) =>
  build({ entryPoints, bundle: true, platform: "neutral", target: "es2022", ...options })

async function writeManifest(folder: string): Promise<void> {
  const { version, license, engines, dependencies } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  )
  const manifest = {
    name: "@parley/client",
    ...{ version, license, engines },
    description: "Calls a Parley service, every procedure checked by the compiler.",
    type: "module",
    sideEffects: false,
    main: "./cjs/index.js",
    types: "./cjs/index.d.ts",
    exports: {
      ".": {
        import: { types: "./index.d.ts", default: "./index.js" },
        require: { types: "./cjs/index.d.ts", default: "./cjs/index.js" },
      },
      ...Object.fromEntries(subpaths.map((name) => [`./${name}`, subpath(name)])),
      "./package.json": "./package.json",
    },
    files: [
      ...Object.keys(entryPoints).map((name) => `${name}.js`),
      "index.d.ts",
      "client",
      "routers",
      "cjs",
    ],
    dependencies: {
      "eventsource-parser": dependencies["eventsource-parser"],
      superjson: dependencies.superjson,
    },
    // The types of @trpc/client are made of those of @trpc/server.
    peerDependencies: { "@trpc/client": "^11.0.0", "@trpc/server": "^11.0.0", react: ">=18" },
    peerDependenciesMeta: { react: { optional: true } },
  }
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}

function subpath(name: string) {
  return {
    import: { types: `./client/${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./cjs/client/${name}.d.ts`, default: `./cjs/${name}.js` },
  }
}

/** The declarations of the client, emitted beside the router as plain types instead of its sources. */
async function writeDeclarations(folder: string): Promise<void> {
  // Within the checkout, where the compiler finds the packages that the client imports.
  const work = join(root, `dist/.client-${process.pid}`)
  await mkdir(join(work, "routers"), { recursive: true })
  try {
    await cp(join(root, "src/client"), join(work, "client"), { recursive: true })
    const names = 'export type * from "./routers/app.ts"\n'
    await writeFile(join(work, "index.ts"), (await readFile(entryPoints.index, "utf8")) + names)
    await writeFile(join(work, "routers/app.ts"), routerTypes(appRouter))
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const parts = subpaths.map((name) => join(work, `client/${name}.ts`))
    const entries = [join(work, "index.ts"), ...parts]
    const words = [tsc, ...entries, ...options.split(" "), "--types", "", "--outDir"]
    // The same files are those of an ES module here, and of CommonJS beside a manifest that says so.
    for (const to of [folder, join(folder, "cjs")]) {
      await promisify(execFile)(process.execPath, [...words, to])
    }
  } finally {
    await rm(work, { recursive: true })
  }
}

// Nothing is checked: of the engine, whose types are made of schemas, there is nothing here.
const options =
  "--declaration --emitDeclarationOnly --module nodenext --target es2022 --strict --skipLibCheck " +
  "--rewriteRelativeImportExtensions --ignoreConfig --noCheck"

const [program, given] = process.argv.slice(1)
if (program === fileURLToPath(import.meta.url)) {
  if (given === undefined) throw new Error("Name the folder to write")
  await writeClientPackage(given)
}
