/** Blocks of unknown types. */
import { expect, test } from "vitest"
import { testScene } from "../../../../test/support/context.ts"
import { type UnknownBlockType, unknownBlock, unknownBlockSchema } from "./block.ts"

test("16.2 an unknown block keeps every member", () => {
  const block = { id: "u", type: "hologram", outgoingEdgeId: "e", options: { a: [1] }, extra: null }
  expect(unknownBlockSchema.parse(block)).toEqual(block)
})

test("16.2 an unknown block is skipped with a log", () => {
  const type = "hologram" as UnknownBlockType
  expect(unknownBlock.run({ id: "u", type, outgoingEdgeId: "e" }, testScene())).toEqual({
    log: [
      {
        status: "error",
        description: 'Blocks of type "hologram" are not supported and were skipped',
      },
    ],
    next: "pass",
  })
})
