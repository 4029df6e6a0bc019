/** What travels over tRPC: written in steps it is the same, and it comes back as it was. */
import fc from "fast-check"
import superjson from "superjson"
import { expect, test } from "vitest"
import { finish } from "../engine/steps.ts"
import { revive, serializeInSteps, wire } from "./wire.ts"

const long = "x".repeat(20_000)

// superjson refuses the name of the prototype.
const names = fc.string().map((name) => `a${name}`)

test("an answer written in steps is the same as one that is written at once", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom(undefined, null, 0, -0, 1.5, Number.NaN, true, new Date(0), new Map([[1, 2]])),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(names, tie("tree"), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(tree, fc.boolean(), (value, isLong) => {
      const answer = isLong ? { long, value } : value
      expect(finish(serializeInSteps(answer))).toEqual(wire.serialize(answer))
    }),
    { numRuns: 1000 },
  )
})

test("what superjson says of a value holds where the value lies", () => {
  const sent = superjson.serialize({ bot: { at: new Date(5), gone: undefined }, list: [1n] })
  const read = revive(JSON.parse(JSON.stringify(sent)))
  expect(read).toEqual({ bot: { at: new Date(5), gone: undefined }, list: [1n] })
})
