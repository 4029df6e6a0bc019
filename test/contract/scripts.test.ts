/** A command, a workflow, a test or a page runs every script. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const isCode = (path: string) => /\.(ts|mjs)$/.test(path) && !path.endsWith(".d.mts")

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.\w+$/.test(path))
}

const read = (path: string) => readFileSync(join(root, path), "utf8")
const scripts = filesIn("scripts").filter(isCode)

/** The scripts that a text names: by path from the root, by relative import, or as a bench or a mode. */
function scriptsIn(path: string): string[] {
  const text = read(path)
  const byPath = [...text.matchAll(/scripts\/[\w./-]+\.(?:ts|mjs)/g)].map(([found]) => found)
  const byImport = [...text.matchAll(/["'`](\.\.?\/[\w./-]+\.(?:ts|mjs))["'`]/g)].map(([, found]) =>
    relative(root, join(root, dirname(path), found ?? "")).replaceAll("\\", "/"),
  )
  const benches = [...text.matchAll(/npm run bench (\w+)/g)].map(
    ([, name]) => `scripts/bench/${name}.ts`,
  )
  const modes = [...text.matchAll(/scripts\/load\.ts (\w+)/g)].map(
    ([, name]) => `scripts/load/${name}.ts`,
  )
  return [...byPath, ...byImport, ...benches, ...modes].filter((each) => scripts.includes(each))
}

it("every script is reached from a command, a workflow, a test or a page", () => {
  const workflows = [".ci/run", ...filesIn(".github/workflows")].filter((path) =>
    existsSync(join(root, path)),
  )
  const tests = filesIn("test").filter((path) => path.endsWith(".ts"))
  const pages = ["README.md", "test/README.md", "scripts/clientPackage/README.md"]
  const reached = new Set<string>()
  const visit = (path: string) => {
    for (const each of scriptsIn(path)) {
      if (reached.has(each)) continue
      reached.add(each)
      visit(each)
    }
  }
  for (const path of ["package.json", ...workflows, ...tests, ...pages]) visit(path)
  expect(scripts.filter((path) => !reached.has(path))).toEqual([])
})
