/** Does nothing: the chat begins at this block's edge, not at the block. */
import { optional } from "../../schema/sharedMembers.ts"
import { action, blockSchemaOf } from "../defineBlock.ts"

const startBlockSchema = blockSchemaOf("start", {
  label: optional.text("Text on the builder's canvas"),
}).meta({ id: "StartBlock" })

export const startBlock = action(startBlockSchema, {
  catalogue: {
    label: "Old start",
    description: "Begins a flow of a version before 6",
    category: "logic",
    icon: "play",
    isLegacy: true,
  },
  isStart: true,
  passes: () => true,
  run: () => ({ next: "pass" }),
})
