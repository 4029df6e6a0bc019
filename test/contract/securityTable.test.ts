/** The table of what one request can cost names tests that exist, and a kind for every tag of operations. */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"

const root = new URL("../../", import.meta.url)

/** The rows below the heading, as lists of cells. */
async function rowsOf(heading: string): Promise<string[][]> {
  const text = await readFile(new URL(".github/SECURITY.md", root), "utf8")
  const section = text.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? ""
  const lines = section.split("\n").filter((line) => line.startsWith("| "))
  return lines.slice(1).map((line) => line.slice(2, -2).split(" | "))
}

/** Unit tests stand beside what they hold, in `src`; all others in `test`. */
function exists(name: string): boolean {
  return ["test", "src"].some((room) => existsSync(new URL(`${room}/${name}.test.ts`, root)))
}

test.each([
  ["What one request can cost", 6, 20],
  ["Worst single request, processor time before and after", 4, 10],
])("every row of %s is held by tests that exist", async (heading, columns, fewest) => {
  const rows = await rowsOf(heading)
  expect(rows.length).toBeGreaterThan(fewest)
  for (const [request = "", ...cells] of rows) {
    expect(cells, request).toHaveLength(columns - 1)
    const named = [...(cells.at(-1) ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)
    expect(named, request).not.toEqual([])
    expect(
      named.filter((name) => !exists(name)),
      request,
    ).toEqual([])
  }
})
