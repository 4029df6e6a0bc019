/** Does nothing: the chat begins at this block's edge, not at the block. */
import { optional } from "../../schema/members.ts"
import { blockSchemaOf } from "../blockSchema.ts"
import { action } from "../defineBlock.ts"

const startBlockSchema = blockSchemaOf("start", "The start of a flow before version 6", {
  label: optional.text("Text on the builder's canvas"),
}).meta({
  id: "StartBlock",
  description: "First block of the first group before version 6; later versions have an event",
})

export const startBlock = action(startBlockSchema, {
  isStart: true,
  passes: () => true,
  run: () => ({ next: "pass" }),
})
