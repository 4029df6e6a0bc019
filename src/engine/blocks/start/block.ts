/** Does nothing: the chat begins at this block's edge, not at the block. */
import type { z } from "zod"
import { optional } from "../../schema/members.ts"
import type { Action } from "../block.ts"
import { blockSchemaOf } from "../blockSchema.ts"

const startBlockSchema = blockSchemaOf("start", "The start of a flow before version 6", {
  label: optional.text("Text on the builder's canvas"),
}).meta({
  id: "StartBlock",
  description: "First block of the first group before version 6; later versions have an event",
})

type StartBlock = z.infer<typeof startBlockSchema>

export const startBlock: Action<StartBlock> = {
  kind: "action",
  schema: startBlockSchema,
  isStart: true,
  passes: () => true,
  run: () => ({ next: "pass" }),
}
