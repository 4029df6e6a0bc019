/** Goes one of two ways at random. */
import type { Action } from "../../block.ts"
import { type ABTestBlock, abTestBlockSchema } from "./schema.ts"

/** How many of a hundred chats go way a when the author did not say. */
const defaultPercent = 50

export const abTestBlock: Action<ABTestBlock> = {
  kind: "action",
  schema: abTestBlockSchema,
  replay: "edge",
  edges: (block) => (block.items ?? []).map((item) => item.outgoingEdgeId),
  run(block, context) {
    const edgeOf = (path: "a" | "b") =>
      block.items?.find((item) => item.path === path)?.outgoingEdgeId
    const isA = context.world.random() * 100 < (block.options?.aPercent ?? defaultPercent)
    // A way that is not connected gives way to b, and b to the next block.
    const edge = (isA && edgeOf("a")) || edgeOf("b")
    return { next: edge ? { edge } : "pass" }
  },
}
