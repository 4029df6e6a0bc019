/** Jump blocks. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { jumpBlock } from "./block.ts"

type JumpBlock = BlockOf<typeof jumpBlock>

const run = (options: JumpBlock["options"]) =>
  jumpBlock.run(
    { id: "j", type: "Jump", outgoingEdgeId: "own", options },
    testScene({ variables: { Where: "Contact" } }),
  )

test("19.7 a jump goes to a group, or to a block in it", () => {
  expect(run({ groupId: "g" })).toEqual({ next: { jump: { groupId: "g" } } })
  expect(run({ groupId: "g", blockId: "b" })).toEqual({
    next: { jump: { groupId: "g", blockId: "b" } },
  })
})

test("19.7 a jump finds a group by the title that a variable holds", () => {
  expect(run({ groupId: "{{Where}}" })).toEqual({ next: { jump: { groupTitle: "Contact" } } })
  expect(run({ groupId: "{{Unset}}" })).toEqual({ next: { jump: { groupTitle: "" } } })
})

test("19.7 a jump without a target continues with the next block, not along its own edge", () => {
  expect(run(undefined)).toEqual({ next: "pass" })
  expect(run({ blockId: "b" })).toEqual({ next: "pass" })
})
