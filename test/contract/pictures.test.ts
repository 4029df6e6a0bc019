/** The picture of the README: it is there, and as small as a page that many open needs it. */
import { readFile, stat } from "node:fs/promises"
import { expect, it } from "vitest"

const root = new URL("../../", import.meta.url)

it("the README shows the console in one small picture", async () => {
  const readme = await readFile(new URL("README.md", root), "utf8")
  const pictures = [...readme.matchAll(/!\[(?<alt>[^\]]+)\]\((?<path>[^)]+)\)/g)]
  expect(pictures.map(({ groups }) => groups?.path)).toEqual([".github/console.jpg"])
  const { size } = await stat(new URL(".github/console.jpg", root))
  expect(size).toBeGreaterThan(10_000)
  expect(size).toBeLessThan(200_000)
})
