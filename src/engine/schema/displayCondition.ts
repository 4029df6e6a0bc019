/** When an item of a choice is shown. */
import { z } from "zod"
import { conditionSchema } from "./condition.ts"

export const displayConditionSchema = z
  .object({
    isEnabled: z
      .boolean()
      .optional()
      .describe("True: the item shows only when the condition holds"),
    condition: conditionSchema.optional(),
  })
  .meta({ id: "DisplayCondition", description: "When an item is shown; absent: always" })

export type DisplayCondition = z.infer<typeof displayConditionSchema>
