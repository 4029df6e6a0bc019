/** The condition block: the first condition that holds decides where the flow goes. */
import { z } from "zod"
import { conditionSchema } from "../../../schema/condition.ts"
import { edgeIdSchema, idSchema } from "../../../schema/id.ts"

const conditionItemSchema = z
  .object({
    id: idSchema.describe("Id of the item"),
    blockId: z.string().optional().describe("The block it belongs to; before version 6 only"),
    outgoingEdgeId: edgeIdSchema.optional(),
    content: conditionSchema.optional(),
  })
  .meta({ id: "ConditionItem", description: "A condition and where it leads" })

export const conditionBlockSchema = z
  .object({
    id: idSchema.describe("Id of the block"),
    type: z.literal("Condition").describe("A branch"),
    outgoingEdgeId: edgeIdSchema.optional(),
    items: z.array(conditionItemSchema).optional().describe("Conditions, tried in order"),
  })
  .meta({ id: "ConditionBlock", description: "Goes where the first true condition leads" })

export type ConditionBlock = z.infer<typeof conditionBlockSchema>
