/** Returns from a jump or an event. */
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { action } from "../../defineBlock.ts"

const returnBlockSchema = blockSchemaOf("Return", "Return from a jump or an event", {
  options: optional.object("There are none", {}),
}).meta({
  id: "ReturnBlock",
  description: "Goes back to where a jump or an event came from; without one it does nothing",
})

export const returnBlock = action(returnBlockSchema, {
  passes: () => true,
  run: () => ({ next: "back" }),
})
