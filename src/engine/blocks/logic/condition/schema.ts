/** The condition block: the first condition that holds decides where the flow goes. */
import { z } from "zod"
import { conditionSchema } from "../../../schema/condition.ts"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf, itemShape } from "../../blockSchema.ts"

const conditionItemSchema = z
  .object({
    ...itemShape,
    content: conditionSchema.optional(),
  })
  .meta({ id: "ConditionItem", description: "A condition and where it leads" })

export const conditionBlockSchema = blockSchemaOf("Condition", "A branch", {
  items: optional.list("Conditions, tried in order", conditionItemSchema),
}).meta({ id: "ConditionBlock", description: "Goes where the first true condition leads" })

export type ConditionBlock = z.infer<typeof conditionBlockSchema>
