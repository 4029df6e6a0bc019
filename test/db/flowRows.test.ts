/** `flow_rows`, which the release before this one calls while both run: a flow as lines, in bunches. */
import { expect, test } from "vitest"
import { testDatabase } from "../support/database.ts"

const { pool } = await testDatabase()

/** The bunches as they are sent, and the lines in them. */
async function linesOf(groups: unknown, variables: unknown) {
  const values = [[], groups, [{ id: "e" }], variables, {}, {}].map((part) => JSON.stringify(part))
  const text = "select lines from flow_rows($1, $2, $3, $4, $5, $6) order by number"
  const { rows } = await pool.query<{ lines: string }>(text, values)
  const sent = rows.map(({ lines }) => lines)
  const read = (bunch: string) =>
    bunch.startsWith("=") ? Buffer.from(bunch.slice(1), "base64").toString() : bunch
  return { sent, lines: sent.flatMap((bunch) => read(bunch).split("\n")) }
}

test("groups come apart by their blocks, and whole where their blocks are no list", async () => {
  const groups = [{ id: "a", blocks: [{ id: "b" }, null] }, { blocks: { id: "c" } }, 5, null]
  const { lines } = await linesOf(groups, [{ id: "v" }])
  expect(lines.map((line) => [line[0], JSON.parse(line.slice(1))])).toEqual([
    ["f", { events: [], theme: {}, settings: {} }],
    ["v", { id: "v" }],
    ["g", { id: "a" }],
    ["b", { id: "b" }],
    ["b", null],
    ["w", { blocks: { id: "c" } }],
    ["w", 5],
    ["w", null],
    ["e", { id: "e" }],
  ])
})

test("variables that are no list are none", async () => {
  const { lines } = await linesOf([], { id: "v" })
  expect(lines.map((line) => line[0])).toEqual(["f", "e"])
})

test("text beyond ASCII is sent as base64, and other text as it is", async () => {
  expect((await linesOf([], [{ name: "Ann" }])).sent.join()).toMatch(/^f/)
  const { sent, lines } = await linesOf([], [{ name: "Žluťoučký 🙂" }])
  expect(sent.join()).toMatch(/^=[\w+/]+=*$/)
  expect(lines[1]).toBe('v{"name": "Žluťoučký 🙂"}')
})
