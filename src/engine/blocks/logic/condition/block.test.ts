/** The condition block takes the first true branch. */
import { describe, expect, it } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { conditionBlock, conditionBlockSchema } from "./block.ts"

type ConditionBlock = BlockOf<typeof conditionBlock>

const equals = (variableId: string, value: string) => ({
  comparisons: [{ id: "1", variableId, comparisonOperator: "Equal to" as const, value }],
})

const run = (items: ConditionBlock["items"], A: string) =>
  conditionBlock.run(
    { id: "c", type: "Condition", outgoingEdgeId: "else", items },
    testScene({ variables: { A } }),
  )

const items = [
  { id: "0", outgoingEdgeId: "e0" },
  { id: "1", outgoingEdgeId: "e1", content: equals("vA", "1") },
  { id: "2", outgoingEdgeId: "e2", content: equals("vA", "1") },
  { id: "3", content: equals("vA", "3") },
]

describe("19.2 conditionBlock", () => {
  it("follows the edge of the first true item", () => {
    expect(run(items, "1")).toEqual({ next: { edge: "e1" } })
  })

  it("ends the path at a true item without an edge", () => {
    expect(run(items, "3")).toEqual({ next: "end" })
  })

  it("goes its own way when no item is true", () => {
    expect(run(items, "9")).toEqual({})
    expect(run(undefined, "9")).toEqual({})
  })

  it("mentions the variables and values that it compares", () => {
    const content = equals("vA", "{{B}}")
    const block: ConditionBlock = { id: "c", type: "Condition", items: [{ id: "1", content }] }
    expect(conditionBlock.mentions?.(block)).toEqual({ texts: ["{{B}}"], variableIds: ["vA"] })
  })

  it("declares the edges of its items", () => {
    expect(conditionBlock.edges?.({ id: "c", type: "Condition", items })).toEqual([
      "e0",
      "e1",
      "e2",
      undefined,
    ])
  })

  it("keeps every member that exports carry", () => {
    const stored = {
      id: "c",
      type: "Condition",
      outgoingEdgeId: "e",
      items: [{ id: "1", blockId: "c", outgoingEdgeId: "e1", content: equals("v", "x") }],
    }
    expect(conditionBlockSchema.parse(stored)).toEqual(stored)
  })
})
