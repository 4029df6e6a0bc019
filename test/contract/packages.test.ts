/**
 * What package.json says of packages is true: auditors and updaters read there what runs, though it is
 * bundled.
 */
import { readdir, readFile } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { writeServicePackage } from "../../scripts/servicePackage.mjs"
import { bannerOf } from "../../src/app/banner.ts"
import { commands } from "../../src/cli/commands.ts"
import { unknownCommand } from "../../src/cli/unknownCommand.ts"
import { testFolder } from "../support/testFolder.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const manifest = await readJson(join(root, "package.json"))

const settings = { databaseUrl: undefined, dataFolder: join(root, ".parley") }

/** Files of theirs are read, or others import them: trpc-to-openapi wants the last as a peer. */
const taken = [
  "@scalar/fastify-api-reference",
  "@jitl/quickjs-wasmfile-release-sync",
  "zod-openapi",
]

/** Hooks of the client need it; the service does not. */
const broughtByApps = "react"

test("what the product imports is a dependency, and nothing else is", async () => {
  const imported = [...(await packagesIn("src")), ...taken].filter((name) => name !== broughtByApps)
  expect(Object.keys(manifest.dependencies).sort()).toEqual([...new Set(imported)].sort())
})

test("what the console imports is bundled with it, so that no service installs it", async () => {
  const imported = (await packagesIn("src/pages/console")).filter(
    (name) => name !== "@parley/client",
  )
  const known = { ...manifest.devDependencies, ...manifest.dependencies }
  expect(imported.filter((name) => !(name in known))).toEqual([])
})

test("the package of the service names what its bundles load, in the versions they were tried with", async () => {
  const folder = await testFolder()
  await writeServicePackage(root, ["quickjs-emscripten-core"], join(folder, "it"))
  const packed = await readJson(join(folder, "it/package.json"))
  const { version } = await readJson(
    join(root, "node_modules/quickjs-emscripten-core/package.json"),
  )
  expect(packed.dependencies).toEqual({ "quickjs-emscripten-core": version })
  expect(packed.devDependencies).toBeUndefined()
  expect(packed.bin).toEqual(manifest.bin)
  const files = await readdir(join(folder, "it"), { recursive: true })
  expect(files).toEqual(
    expect.arrayContaining(["schema/current.sql", "scripts/parley.mjs", "openapi.json"]),
  )
  expect(files.filter((path) => /^(?:src|test|node_modules)\b/.test(path))).toEqual([])

  const page = await readFile(join(folder, "it/README.md"), "utf8")
  const paths = [...page.matchAll(/`((?:\w+\/)*[\w-]+\.(?:md|json|sql))`/g)].map(([, path]) => path)
  expect(paths).toEqual(expect.arrayContaining(["openapi.json", "scripts/deploy/README.md"]))
  expect(files).toEqual(expect.arrayContaining(paths))
  const banner = bannerOf({ address: "http://127.0.0.1:3000" }, settings)
  for (const text of [page, banner]) {
    expect(text).toContain("npx parley chat demo")
    const scripts = [...text.matchAll(/npm (?:run )?(\w+)/g)].map(([, script]) => script)
    expect(["install", ...Object.keys(packed.scripts)]).toEqual(expect.arrayContaining(scripts))
  }
})

test.each([
  "README.md",
  "scripts/servicePackage/README.md",
  "scripts/deploy/README.md",
  "src/routers/README.md",
  "src/app/banner.ts",
])("%s names commands that exist", async (path) => {
  const text = await readFile(join(root, path), "utf8")
  const lines = [...text.matchAll(/npx parley ([\w -]+)/g)].map(([, words = ""]) => words)
  expect(lines.length).toBeGreaterThan(1)
  const unknown = lines.map((words) => unknownCommand(commands, words.trim().split(" ")))
  expect((await Promise.all(unknown)).filter(Boolean)).toEqual([])
})

/** Packages whose values the files of a folder import. */
async function packagesIn(folder: string): Promise<string[]> {
  const paths = (await readdir(join(root, folder), { recursive: true }))
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.endsWith(".d.mts"))
    .filter((path) => !path.endsWith(".test.ts"))
    // A world of its own, which is bundled.
    .filter((path) => !path.startsWith("pages/console/"))
  const texts = await Promise.all(paths.map((path) => readFile(join(root, folder, path), "utf8")))
  const forms = [
    /^(?:import|export)\s(?!type\b)[^"'`=()]*?\sfrom "([^"]+)"/gm,
    /(?:^import |(?<!typeof )\bimport\()"([^"]+)"/gm,
  ]
  const specifiers = texts.flatMap((text) =>
    forms.flatMap((form) => [...text.matchAll(form)].map(([, specifier = ""]) => specifier)),
  )
  const names = specifiers.flatMap((each) => each.match(/^(?:@[\w.-]+\/)?[\w.-]+/)?.[0] ?? [])
  return names.filter((name) => !/^\.|^(?:node|icons)$/.test(name) && !isBuiltin(name))
}

async function readJson(path: string) {
  return JSON.parse(await readFile(path, "utf8"))
}
