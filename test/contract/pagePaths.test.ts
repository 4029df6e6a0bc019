/** Pages of the repository name files and link to pages that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folders = [".github", "schema", "scripts", "src", "test"]
const pages = [
  "README.md",
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`),
  ),
].sort()

it("the pages are found", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "src/ARCHITECTURE.md"]))
})

it.each(pages)("%s names what exists", (page) => {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "")
  const links = linksIn(text).filter((path) => !existsSync(join(root, dirname(page), path)))
  const named = pathsIn(text).filter((path) => !isThere(page, path))
  expect([...links, ...named]).toEqual([])
})

it("links and paths are distinguished from other code", () => {
  const text =
    "See [a](../b.md#c), [s](/docs), [d](https://e.com/f.md), `g/h.ts`, `i/`, `j.ts`, `k/**/l.ts`, `m: n/o`"
  expect(linksIn(text)).toEqual(["../b.md"])
  expect(pathsIn(text)).toEqual(["g/h.ts"])
})

/** What links within the repository lead to; those of the service begin with a slash (`contract/guide.test.ts`). */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/`[^`\n]*`/g, "")
  return [...prose.matchAll(/\]\((?!\w+:|\/)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path = ""]) => path)
}

/** Code that is the path of a file in some folder. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|md|json|sql|yml))`/g)].map(
    ([, path = ""]) => path,
  )
}

/** Paths are from the root, from `src` or `test`, or from the page. */
function isThere(page: string, path: string): boolean {
  return ["", "src", "test", dirname(page)].some((folder) => existsSync(join(root, folder, path)))
}
