/** Returns from a jump or an event. */
import { optional } from "../../../schema/sharedMembers.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const returnBlockSchema = blockSchemaOf("Return", {
  options: optional.object("No options", {}),
}).meta({ id: "ReturnBlock" })

export const returnBlock = action(returnBlockSchema, {
  catalogue: {
    label: "Return",
    description: "Goes back to where a jump or an event interrupted the chat",
    category: "logic",
    icon: "undo-2",
  },
  passes: () => true,
  isSilent: true,
  run: () => ({ next: "back" }),
})
