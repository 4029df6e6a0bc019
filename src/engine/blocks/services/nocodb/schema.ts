/** Stored form of the NocoDB block. */
import { z } from "zod"
import { idSchema, variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { actionOption, credentialsOption, text } from "../serviceSchema.ts"

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

const filterSchema = z
  .object({
    comparisons: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the comparison"),
          input: text("Name of the field"),
          operator: z.enum(operators).optional().describe("How to compare; default Equal to"),
          value: text("Value to compare with"),
        }),
      )
      .optional()
      .describe("None: every record"),
    joiner: z
      .enum(["AND", "OR"])
      .optional()
      .describe("Whether all or any comparisons must hold; default AND"),
  })
  .meta({ id: "NocodbFilter", description: "Which records are meant" })

export type NocodbFilter = z.infer<typeof filterSchema>

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Search Records", "Create Record", "Update Existing Record"]),
    tableId: text("Id of the table"),
    viewId: text("Id of the view to look in"),
    returnType: z
      .enum(["All", "First", "Last", "Random"])
      .optional()
      .describe("Search: which of the records found; default All"),
    filter: filterSchema.optional().describe("Search, Update: which records; needed to update"),
    responseMapping: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the entry"),
          fieldName: text("Name of the field"),
          variableId: variableIdSchema.optional(),
        }),
      )
      .optional()
      .describe("Search: fields and the variables that receive them"),
    fields: z.array(keyValueSchema).optional().describe("Create: fields and their values"),
    updates: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the entry"),
          fieldName: text("Name of the field"),
          value: text("New value; empty: none"),
        }),
      )
      .optional()
      .describe("Update: fields and their values"),
  })
  .meta({ id: "NocodbOptions", description: "What to read or write" })

export type NocodbOptions = z.infer<typeof optionsSchema>

export const nocodbBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("nocodb").describe("NocoDB"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "NocodbBlock", description: "Reads or writes records of a NocoDB table" })

export type NocodbBlock = z.infer<typeof nocodbBlockSchema>
