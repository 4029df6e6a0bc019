/** Stored form of the NocoDB block. */
import { z } from "zod"
import { logicalOperatorSchema } from "../../../schema/condition.ts"
import {
  idSchema,
  namedObject,
  optional,
  variableIdSchema,
  withDefault,
} from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { rowChoices } from "../../tableFilter.ts"
import { actionOption, credentialsOption } from "../serviceBlock.ts"

const operators = [
  "Equal to",
  "Not equal",
  "Contains",
  "Greater than",
  "Less than",
  "Is set",
  "Is empty",
  "Starts with",
  "Ends with",
] as const

const filterSchema = namedObject("NocodbFilter", "Filter of the records", {
  comparisons: optional.list(
    "Comparisons with a record; none: every record",
    z.object({
      id: idSchema.optional().describe("Id of the comparison"),
      input: optional.template("Name of the field"),
      operator: optional.oneOf("How to compare", operators, "Equal to"),
      value: optional.template("Value to compare with"),
    }),
  ),
  joiner: logicalOperatorSchema
    .optional()
    .meta(withDefault("Whether all or any comparisons must hold", "AND")),
})

export type NocodbFilter = z.infer<typeof filterSchema>

export const nocodbBlockSchema = blockSchemaOf("nocodb", {
  options: optional.named("NocodbOptions", "What to read or write", {
    credentialsId: credentialsOption,
    action: actionOption(["Search Records", "Create Record", "Update Existing Record"]),
    tableId: optional.template("Id of the table"),
    viewId: optional.template("Id of the view to look in"),
    returnType: optional.oneOf("Search: which of the records found", rowChoices, "All"),
    filter: filterSchema.optional().describe("Search, Update: which records; needed to update"),
    responseMapping: optional.entries("Search: fields and the variables that receive them", {
      fieldName: optional.template("Name of the field"),
      variableId: variableIdSchema.optional(),
    }),
    fields: optional.list("Create: fields and their values", keyValueSchema),
    updates: optional.entries("Update: fields and their values", {
      fieldName: optional.template("Name of the field"),
      value: optional.template("New value; empty: none"),
    }),
  }),
}).meta({ id: "NocodbBlock" })

export type NocodbBlock = z.infer<typeof nocodbBlockSchema>
export type NocodbOptions = NonNullable<NocodbBlock["options"]>
