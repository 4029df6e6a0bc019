/** A condition over variables, used by condition blocks and by items that show only sometimes. */
import { z } from "zod"
import { idSchema, namedObject, optional, variableIdSchema, withDefault } from "./sharedMembers.ts"

/** Every operator, word for word as exports spell it. */
const comparisonOperators = [
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

export const comparisonOperatorSchema = z
  .enum(comparisonOperators)
  .meta({ id: "ComparisonOperator", description: "How to compare" })

/** Operator between comparisons; the default depends on the place. */
export const logicalOperatorSchema = z
  .enum(["AND", "OR"])
  .meta({ id: "LogicalOperator", description: "Whether all or any of the comparisons must hold" })

export type ComparisonOperator = (typeof comparisonOperators)[number]

const comparisonSchema = namedObject("Comparison", "One comparison of a variable with a text", {
  id: idSchema.describe("Id of the comparison"),
  variableId: variableIdSchema.optional(),
  comparisonOperator: comparisonOperatorSchema.optional(),
  value: optional.template("Text to compare with"),
})

export const conditionSchema = namedObject("Condition", "Comparisons joined by AND or OR", {
  logicalOperator: logicalOperatorSchema
    .optional()
    .meta(withDefault("Whether all or any of the comparisons must hold", "AND")),
  comparisons: optional.list("Comparisons; none: the condition is false", comparisonSchema),
})

export type Comparison = z.infer<typeof comparisonSchema>
export type Condition = z.infer<typeof conditionSchema>

/** Display condition of a choice's item. */
export const displayConditionSchema = namedObject(
  "DisplayCondition",
  "When an item is shown; absent: always",
  {
    isEnabled: optional.flag("Whether the item shows only when the condition holds"),
    condition: conditionSchema.optional(),
  },
)

export type DisplayCondition = z.infer<typeof displayConditionSchema>
