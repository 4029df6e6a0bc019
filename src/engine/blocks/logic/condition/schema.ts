/** The condition block: the first condition that holds decides where the flow goes. */
import type { z } from "zod"
import { conditionSchema } from "../../../schema/condition.ts"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf, itemShape } from "../../blockSchema.ts"

const conditionItemSchema = namedObject("ConditionItem", "A condition and where it leads", {
  ...itemShape,
  content: conditionSchema.optional(),
})

export const conditionBlockSchema = blockSchemaOf("Condition", "A branch", {
  items: optional.list("Conditions, tried in order", conditionItemSchema),
}).meta({ id: "ConditionBlock", description: "Goes where the first true condition leads" })

export type ConditionBlock = z.infer<typeof conditionBlockSchema>
