/** Laws of the diff of any two flows: it is empty, complete and minimal. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyFlow } from "../../../test/support/anyFlow.ts"
import { applyDiff, comparable } from "../../../test/support/applyDiff.ts"
import { type Edit, edits } from "../../../test/support/edits.ts"
import { fixtureNames, readFixture } from "../../../test/support/fixtureBots.ts"
import { deepFreeze } from "../../../test/support/freeze.ts"
import type { Flow } from "../../engine/bot.ts"
import { diffFlows } from "./diffFlows.ts"
import { type FlowChange, flowChangeSchema } from "./diffSchemas.ts"

/** The diff for a client, checked for completeness. */
function checkedDiff(before: Flow, after: Flow): FlowChange[] {
  const text = JSON.stringify(diffFlows(deepFreeze(before), deepFreeze(after)))
  const changes = flowChangeSchema.array().parse(JSON.parse(text))
  expect(comparable(applyDiff(changes, before))).toEqual(comparable(after))
  return changes
}

/** The flow after one way of an edit; undefined: none. */
function edited(flow: Flow, edit: Edit | undefined, way: number): Flow | undefined {
  const copy = structuredClone(flow)
  const ways = edit?.ways(copy) ?? []
  if (ways.length === 0) return undefined
  ways[way % ways.length]?.()
  return copy
}

const names = Object.keys(edits)
const fixtures = fixtureNames.flatMap((name) => Object.values(readFixture(name)))
const anyFixture = fc.constantFrom(...fixtures)
const flows = { "any flow": anyFlow, "any bot of the fixtures": anyFixture }

describe.each(Object.entries(flows))("of %s", (_, flow) => {
  it("a flow does not differ from itself, for all coordinates", () => {
    fc.assert(
      fc.property(flow, (flow) => {
        const moved = structuredClone(flow)
        for (const part of [...moved.groups, ...(moved.events ?? [])]) part.graphCoordinates.x += 9
        expect(diffFlows(flow, moved)).toEqual([])
      }),
    )
  })

  it("the differences between two flows turn the one into the other", () => {
    fc.assert(fc.property(flow, flow, (before, after) => void checkedDiff(before, after)))
  })

  it("the differences after many edits turn the one into the other", () => {
    const anyEdits = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat()), { maxLength: 30 })
    fc.assert(
      fc.property(flow, anyEdits, (before, some) => {
        const after = some.reduce(
          (flow, [name, way]) => edited(flow, edits[name], way) ?? flow,
          before,
        )
        checkedDiff(before, after)
        checkedDiff(after, before)
      }),
    )
  })

  it.each(names)("%s makes one change", (name) => {
    const edit = edits[name]
    const editable = flow.filter((each) => edited(each, edit, 0) !== undefined)
    fc.assert(
      fc.property(editable, fc.nat(), (before, way) => {
        const changes = checkedDiff(before, edited(before, edit, way) ?? before)
        expect(changes).toMatchObject([{ kind: edit?.kind, what: edit?.what }])
      }),
      { numRuns: 50 },
    )
  })
})
