/** The condition block: the first condition that holds decides where the flow goes. */
import { z } from "zod"
import { conditionSchema } from "../../../schema/condition.ts"
import { edgeIdSchema, idSchema } from "../../../schema/id.ts"
import { optional } from "../../../schema/optional.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const conditionItemSchema = z
  .object({
    id: idSchema.describe("Id of the item"),
    blockId: optional.text("The block it belongs to; before version 6 only"),
    outgoingEdgeId: edgeIdSchema.optional(),
    content: conditionSchema.optional(),
  })
  .meta({ id: "ConditionItem", description: "A condition and where it leads" })

export const conditionBlockSchema = blockSchemaOf("Condition", "A branch", {
  items: optional.list("Conditions, tried in order", conditionItemSchema),
}).meta({ id: "ConditionBlock", description: "Goes where the first true condition leads" })

export type ConditionBlock = z.infer<typeof conditionBlockSchema>
