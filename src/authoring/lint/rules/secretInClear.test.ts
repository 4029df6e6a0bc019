/** Secrets in texts of any length. */
import { expect, test } from "vitest"
import { lintBot } from "../lint.ts"

const place = { x: 0, y: 0 }

/** The findings for a bot that shows a text. */
function secretsIn(text: string): string[] {
  const content = { richText: [{ type: "p", children: [{ text }] }] }
  const blocks = [{ id: "b", type: "text", content }]
  const flow = {
    version: "6.1",
    events: [{ id: "s", type: "start", graphCoordinates: place, outgoingEdgeId: "e" }],
    groups: [{ id: "g", title: "G", graphCoordinates: place, blocks }],
    edges: [{ id: "e", from: { eventId: "s" }, to: { groupId: "g" } }],
  }
  const found = lintBot(flow).filter(({ rule }) => rule === "secret-in-clear")
  return found.map(({ message }) => message)
}

const key = `AKIA${"A1".repeat(8)}`

test("a key anywhere in a long text is reported once", () => {
  for (const at of [0, 1, 60_000, 61_430, 61_440, 65_520, 65_536, 130_000, 199_000]) {
    const text = `${"x ".repeat(at / 2).slice(0, at)} ${key} `.padEnd(200_000, "y ")
    expect(secretsIn(text)).toEqual(["This text contains a cloud access key in clear text"])
  }
})

test("a signed token is recognised by its two first parts", () => {
  const parts = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTYifQ"]
  const expected = ["This text contains a signed token in clear text"]
  expect(secretsIn(`Use ${parts.join(".")}.c2lnbmF0dXJl today`)).toEqual(expected)
  expect(secretsIn(`eyJ-${parts.join(".")}`)).toEqual(expected)
  for (const none of [`x${parts.join(".")}`, parts.join(" ."), `eyJshort.${parts[1]}`]) {
    expect(secretsIn(none)).toEqual([])
  }
})
