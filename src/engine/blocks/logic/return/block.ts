/** Comes back from a jump or from an event. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import type { Action } from "../../block.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const returnBlockSchema = blockSchemaOf("Return", "Return from a jump or an event", {
  options: optional.object("There are none", {}),
}).meta({
  id: "ReturnBlock",
  description: "Goes back to where a jump or an event came from; without one it does nothing",
})

type ReturnBlock = z.infer<typeof returnBlockSchema>

export const returnBlock: Action<ReturnBlock> = {
  kind: "action",
  schema: returnBlockSchema,
  passes: () => true,
  run: () => ({ next: "back" }),
}
