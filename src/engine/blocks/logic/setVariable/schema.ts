/** Gives a variable a value. */
import { z } from "zod"
import { variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"

/** Every kind of value, word for word as exports spell it; absent means Custom. */
export const valueTypes = [
  "Custom",
  "Empty",
  "Append value(s)",
  "Pop",
  "Shift",
  "Map item with same index",
  "Now",
  "Yesterday",
  "Tomorrow",
  "Today",
  "Random ID",
  "Result ID",
  "User ID",
  "Environment name",
  "Moment of the day",
  "Device type",
  "Transcript",
  "Phone number",
  "Contact name",
  "Referral Click ID",
  "Referral Source ID",
] as const

export type ValueType = (typeof valueTypes)[number]

const lookUpSchema = z
  .object({
    baseItemVariableId: variableIdSchema.optional().describe("Variable whose text is looked up"),
    baseListVariableId: variableIdSchema.optional().describe("List in which it is looked up"),
    targetListVariableId: variableIdSchema.optional().describe("List that holds the value"),
  })
  .meta({ id: "MapListItemParams", description: "Two lists whose elements belong together" })

export const setVariableBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Set variable").describe("Assignment of a variable"),
    options: z
      .object({
        variableId: variableIdSchema.optional().describe("Variable to set; absent: nothing is set"),
        type: z.enum(valueTypes).optional().describe("Kind of value; default Custom"),
        expressionToEvaluate: z
          .string()
          .optional()
          .describe("Custom: JavaScript, or else a text with {{variables}}"),
        isCode: z
          .boolean()
          .optional()
          .describe("Custom: whether it is meant as code, so that a failure is logged"),
        expressionDescription: z.string().optional().describe("Custom: what the author asked for"),
        saveErrorInVariableId: variableIdSchema
          .optional()
          .describe("Custom, as code: variable that receives the reason of a failure"),
        item: z.string().optional().describe("Append value(s): text to append; {{variables}}"),
        saveItemInVariableId: variableIdSchema
          .optional()
          .describe("Pop, Shift: variable that receives the removed element"),
        mapListItemParams: lookUpSchema.optional(),
        timeZone: z
          .string()
          .optional()
          .describe("Now, Yesterday, Tomorrow: IANA zone or offset; may hold {{variables}}"),
        isExecutedOnClient: z
          .boolean()
          .optional()
          .describe("Custom: whether the client evaluates it; default false"),
        isUnsafe: z.boolean().optional().describe("Whether it came with an import"),
      })
      .optional()
      .describe("The variable and its value"),
  })
  .meta({ id: "SetVariableBlock", description: "Gives a variable a value" })

export type SetVariableBlock = z.infer<typeof setVariableBlockSchema>
export type SetVariableOptions = NonNullable<SetVariableBlock["options"]>
