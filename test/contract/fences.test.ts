/** Shows that the fences of the lint stand: each breach fails it. Others are beside this file. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

type Diagnostic = {
  severity: string
  category: string
  message: string
  location: { path: string }
}
type Breach = { title: string; path: string; source: string; rule: string }

const restrictedImport = "lint/style/noRestrictedImports"
const restrictedGlobal = "lint/style/noRestrictedGlobals"
const clock = "The engine does not read the clock"
const waiting = "The engine never waits"

const breaches: Breach[] = [
  engine("imports Node", 'import { readFileSync } from "node:fs"', restrictedImport),
  engine("imports Node without its prefix", 'import { readFileSync } from "fs"', restrictedImport),
  engine("imports a package that talks", 'import pg from "pg"', restrictedImport),
  engine("imports dynamically", 'export const pg = import("pg")', restrictedImport),
  engine("exports a package that talks", 'export { Pool } from "pg"', restrictedImport),
  engine("reads Date.now()", "export const now = Date.now()", clock),
  engine("passes Date.now on", "export const read = Date.now", clock),
  engine("makes a new Date()", "export const now = new Date()", clock),
  engine("throws dice", "export const dice = Math.random()", "The engine throws no dice"),
  engine("reads process", "export const home = process.env", restrictedGlobal),
  engine("fetches", 'export const answer = fetch("x")', restrictedGlobal),
  engine("sets a timer", "export const timer = setTimeout(() => {}, 5)", restrictedGlobal),
  engine("reaches a global by its object", "export const all = globalThis", restrictedGlobal),
  engine("awaits", "export const answer = await Promise.resolve(1)", waiting),
  engine("has an async function", "export async function wait() {}", waiting),
  engine("has an async arrow", "export const wait = async () => {}", waiting),
  engine("has an async method", "export const waits = { async wait() {} }", waiting),
]

const allowed: Pick<Breach, "path" | "source">[] = [
  { path: "src/engine/fine.ts", source: 'import { z } from "zod"\nexport const a = z' },
  { path: "src/engine/day.ts", source: "export const day = new Date(5)" },
  {
    path: "src/engine/fine.test.ts",
    source: 'import { test } from "vitest"\ntest("a", async () => {})',
  },
]

let folder: string
/** What the fences said of each file, by its number. */
let found: string[]

// One run over all of them: starting the linter is what takes the time.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-fences-"))
  await symlink(resolve("scripts"), join(folder, "scripts"))
  await symlink(resolve(".biome.json"), join(folder, ".biome.json"))
  await Promise.all(
    [...breaches, ...allowed].map(({ path, source }, index) => write(index, path, source)),
  )
  found = await lint()
})
afterAll(() => rm(folder, { recursive: true }))

for (const [index, { title, rule }] of breaches.entries()) {
  test(`it is refused that ${title}`, () => {
    expect(found[index]).toContain(rule)
  })
}

test("what is not forbidden passes", () => {
  expect(allowed.map((_, index) => found[breaches.length + index])).toEqual(allowed.map(() => ""))
})

function engine(deed: string, source: string, rule: string): Breach {
  return { title: `a file in the engine ${deed}`, path: "src/engine/breach.ts", source, rule }
}

async function write(index: number, path: string, source: string): Promise<void> {
  const file = join(folder, String(index), path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${source}\n`)
}

async function lint(): Promise<string[]> {
  const biome = resolve("node_modules/.bin/biome")
  const options = ["lint", "--vcs-enabled=false", "--max-diagnostics=none", "--reporter=json", "."]
  const output = await new Promise<string>((done) => {
    execFile(biome, options, { cwd: folder, maxBuffer: 1e8 }, (_error, text) => done(text))
  })
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] }
  return [...breaches, ...allowed].map((_, index) =>
    diagnostics
      .filter((each) => each.location.path.startsWith(`${index}/`) && isOfFences(each))
      .map((each) => `${each.category}: ${each.message}`)
      .join("\n"),
  )
}

function isOfFences({ severity, category }: Diagnostic): boolean {
  const ours = [restrictedImport, restrictedGlobal, "plugin"]
  return severity === "error" && ours.includes(category)
}
