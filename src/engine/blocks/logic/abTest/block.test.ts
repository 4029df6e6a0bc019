/** The A/B test goes one of two ways. */
import { describe, expect, it } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { abTestBlock, abTestBlockSchema } from "./block.ts"

type ABTestBlock = BlockOf<typeof abTestBlock>

type Case = { random: number; percent?: number; a?: string; b?: string }

function run({ random, percent, a, b }: Case) {
  const block: ABTestBlock = {
    id: "t",
    type: "AB test",
    outgoingEdgeId: "own",
    items: [
      { path: "a", outgoingEdgeId: a },
      { path: "b", outgoingEdgeId: b },
    ],
    options: percent === undefined ? undefined : { aPercent: percent },
  }
  return abTestBlock.run(block, testScene({ random }))
}

describe("19.3 abTestBlock", () => {
  it.each<[Case, string]>([
    [{ random: 0.49, a: "eA", b: "eB" }, "eA"],
    [{ random: 0.5, a: "eA", b: "eB" }, "eB"],
    [{ random: 0.09, percent: 10, a: "eA", b: "eB" }, "eA"],
    [{ random: 0.1, percent: 10, a: "eA", b: "eB" }, "eB"],
    [{ random: 0, percent: 0, a: "eA", b: "eB" }, "eB"],
    [{ random: 0.999, percent: 100, a: "eA", b: "eB" }, "eA"],
    [{ random: 0, b: "eB" }, "eB"],
  ])("draws %j and follows %s", (drawn, edge) => {
    expect(run(drawn)).toEqual({ next: { edge } })
  })

  it("continues with the next block when its way is not connected", () => {
    expect(run({ random: 0.9, a: "eA" })).toEqual({ next: "pass" })
    expect(abTestBlock.run({ id: "t", type: "AB test" }, testScene())).toEqual({ next: "pass" })
  })

  it("declares the edges of both ways", () => {
    const stored = {
      id: "t",
      type: "AB test",
      items: [
        { id: "1", blockId: "t", path: "a", outgoingEdgeId: "eA" },
        { id: "2", blockId: "t", path: "b" },
      ],
      options: { aPercent: 30 },
    }
    const block = abTestBlockSchema.parse(stored)
    expect(block).toEqual(stored)
    expect(abTestBlock.edges?.(block)).toEqual(["eA", undefined])
  })
})
