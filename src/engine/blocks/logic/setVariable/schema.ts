/** Stored form of the Set variable block. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"

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

const lookUpSchema = namedObject("MapListItemParams", "Two lists whose elements belong together", {
  baseItemVariableId: optional.variableId("Variable whose text is looked up"),
  baseListVariableId: optional.variableId("List in which it is looked up"),
  targetListVariableId: optional.variableId("List that holds the value"),
})

export const setVariableBlockSchema = blockSchemaOf("Set variable", {
  options: optional.object("The variable and its value", {
    variableId: optional.variableId("Variable to set; absent: nothing is set"),
    type: optional.oneOf("Kind of value", valueTypes, "Custom"),
    expressionToEvaluate: optional.hinted("Custom: JavaScript, or else a text with {{variables}}", {
      code: "javascript",
      template: true,
    }),
    isCode: optional.flag("Custom: whether it is code, whose failures are logged"),
    expressionDescription: optional.text("Custom: description of the code"),
    saveErrorInVariableId: optional.variableId(
      "Custom, as code: variable that receives the reason of a failure",
    ),
    item: optional.template("Append value(s): text to append"),
    saveItemInVariableId: optional.variableId(
      "Pop, Shift: variable that receives the removed element",
    ),
    mapListItemParams: lookUpSchema.optional().meta({ title: "Look-up" }),
    timeZone: optional.template("Now, Yesterday, Tomorrow: IANA zone or offset"),
    isExecutedOnClient: optional.flag("Custom: whether the client evaluates it", false),
    isUnsafe: optional.flag("Whether it came with an import"),
  }),
}).meta({ id: "SetVariableBlock" })

export type SetVariableBlock = z.infer<typeof setVariableBlockSchema>
export type SetVariableOptions = NonNullable<SetVariableBlock["options"]>
