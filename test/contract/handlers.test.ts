/** A procedure says its path, schemas and rights; what it does is a few lines, or has a name elsewhere. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const maxLines = 20
const routers = fileURLToPath(new URL("../../src/routers", import.meta.url))

/** The lines of each handler. Formatted code: the line after it begins where its first one does. */
function handlersIn(text: string): number[] {
  const lines = text.split("\n")
  return lines.flatMap((line, start) => {
    const [, indent] =
      /^( *)(?:\}\))?\.(?:query|mutation|subscription)\((?:.*[({>])?$/.exec(line) ?? []
    if (indent === undefined) return []
    const end = lines.findIndex((each, at) => at > start && /^[})]/.test(each.slice(indent.length)))
    return end - start - 1
  })
}

const handlers = readdirSync(routers, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .flatMap((path) => {
    return handlersIn(readFileSync(join(routers, path), "utf8")).map((lines) => ({ path, lines }))
  })

it("handlers of procedures are found", () => {
  expect(handlers.length).toBeGreaterThan(60)
  expect(handlers.every(({ lines }) => lines > 0)).toBe(true)
})

it(`no handler has more than ${maxLines} lines`, () => {
  expect(handlers.filter(({ lines }) => lines > maxLines)).toEqual([])
})
