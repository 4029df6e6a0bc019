/** Positions in JSON texts. */
import { assert, jsonValue, property } from "fast-check"
import { expect, test } from "vitest"
import { pointerOf } from "../authoring/lint/location.ts"
import { withPositions } from "./position.ts"

const text = `{
  "groups": [
    { "title": "a \\" , }", "n": 1.5e3 }, {"blocks":[ true ]}
  ],
  "a/b~c": {}
}`

test.each([
  ["", 1, 1],
  ["/groups", 2, 13],
  ["/groups/0", 3, 5],
  ["/groups/0/n", 3, 33],
  ["/groups/1/blocks/0", 3, 54],
  ["/a~1b~0c", 5, 12],
])("%s lies in line %i, column %i", (pointer, line, column) => {
  expect(withPositions([{ pointer }], text)).toEqual([{ pointer, line, column }])
})

test("what is missing lies where it would have to be", () => {
  const findings = [{ pointer: "/groups/1/blocks/7/type" }, { pointer: "/events" }]
  expect(withPositions(findings, text)).toMatchObject([
    { line: 3, column: 52 },
    { line: 1, column: 1 },
  ])
})

test("what stands behind a picture of many megabytes is found", () => {
  const picture = JSON.stringify({ picture: "A".repeat(12_000_000), next: 1 })
  const [found] = withPositions([{ pointer: "/next" }], picture)
  expect(found).toMatchObject({ line: 1, column: 12_000_022 })
})

test("every value of any JSON is found where it stands", () => {
  assert(
    property(jsonValue(), (value) => {
      const printed = JSON.stringify(value, null, 2)
      const lines = printed.split("\n")
      for (const [pointer, part] of partsOf(value, [])) {
        const [{ line, column } = { line: 0, column: 0 }] = withPositions([{ pointer }], printed)
        const rest = lines[line - 1]?.slice(column - 1) ?? ""
        expect(rest.startsWith(JSON.stringify(part).slice(0, 1))).toBe(true)
        if (typeof part !== "object") expect(rest.startsWith(JSON.stringify(part))).toBe(true)
      }
    }),
  )
})

function partsOf(value: unknown, path: (string | number)[]): [string, unknown][] {
  const inside =
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, part]) => partsOf(part, [...path, key]))
      : []
  return [[pointerOf(path), value], ...inside]
}
