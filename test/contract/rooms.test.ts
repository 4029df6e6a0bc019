/** The rooms of `src` grow only on purpose: a change that needs more lines than a room may have says so here. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it, test } from "vitest"
import { linesOfCode } from "../support/linesOfCode.ts"

/** Lines of code that a room may have, without comments and tests. */
const mostLines: Readonly<Record<string, number>> = {
  "the files beside the rooms": 700,
  app: 1_400,
  authoring: 2_900,
  bots: 1_960,
  chat: 3_400,
  cli: 3_400,
  client: 400,
  db: 7_050,
  effects: 5_200,
  engine: 15_200,
  http: 4_450,
  jobs: 550,
  mcp: 650,
  pages: 6_900,
  postgres: 800,
  results: 1_850,
  routers: 9_000,
  telemetry: 300,
  workshop: 5_800,
}

const source = fileURLToPath(new URL("../../src/", import.meta.url))

const lines = new Map<string, number>()
for (const path of readdirSync(source, { recursive: true, encoding: "utf8" })) {
  if (!/\.(?:tsx?|m?js|css)$/.test(path) || /\.test\.tsx?$/.test(path)) continue
  const [first = "", ...rest] = path.split(/[\\/]/)
  const room = rest.length > 0 ? first : "the files beside the rooms"
  lines.set(room, (lines.get(room) ?? 0) + linesOfCode(readFileSync(source + path, "utf8")))
}

test("every room has a number", () => {
  expect(Object.keys(mostLines).sort()).toEqual([...lines.keys()].sort())
})

it.each(Object.entries(mostLines))("lets %s have %i lines", (room, most) => {
  const has = lines.get(room) ?? 0
  expect(
    has,
    "Shorten the room, or raise its number and say why in the commit",
  ).toBeLessThanOrEqual(most)
  expect(has, "The room has become smaller: lower its number").toBeGreaterThan(0.85 * most)
})
