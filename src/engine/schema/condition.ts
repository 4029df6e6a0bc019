/** A condition over variables, used by condition blocks and by items that show only sometimes. */
import { z } from "zod"
import { idSchema, optional, variableIdSchema } from "./members.ts"

/** Every operator, word for word as exports spell it. */
export const comparisonOperators = [
  "Equal to",
  "Not equal",
  "Contains",
  "Does not contain",
  "Greater than",
  "Less than",
  "Greater or equal to",
  "Less or equal to",
  "Is set",
  "Is empty",
  "Starts with",
  "Ends with",
  "Matches regex",
  "Does not match regex",
] as const

export type ComparisonOperator = (typeof comparisonOperators)[number]

export const comparisonSchema = z
  .object({
    id: idSchema.describe("Id of the comparison"),
    variableId: variableIdSchema.optional(),
    comparisonOperator: optional.oneOf("How to compare", comparisonOperators),
    value: optional.template("Text to compare with"),
  })
  .meta({ id: "Comparison", description: "One comparison of a variable with a text" })

export const conditionSchema = z
  .object({
    logicalOperator: optional.oneOf(
      "Whether all or any of the comparisons must hold; default AND",
      ["AND", "OR"],
    ),
    comparisons: optional.list("None: the condition is false", comparisonSchema),
  })
  .meta({ id: "Condition", description: "Comparisons joined by AND or OR" })

export type Comparison = z.infer<typeof comparisonSchema>
export type Condition = z.infer<typeof conditionSchema>

/** When an item of a choice is shown. */
export const displayConditionSchema = z
  .object({
    isEnabled: optional.flag("True: the item shows only when the condition holds"),
    condition: conditionSchema.optional(),
  })
  .meta({ id: "DisplayCondition", description: "When an item is shown; absent: always" })

export type DisplayCondition = z.infer<typeof displayConditionSchema>
