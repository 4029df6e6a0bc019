/** A variable of a bot and the values it may hold. */

import { z } from "zod"
import { listOf } from "./lists.ts"
import { idSchema, namedObject, optional } from "./sharedMembers.ts"

/** Max texts in a variable's initial list. */
const maxValues = 50_000

const textOrListSchema = z
  .union([z.string(), listOf(z.string().nullable(), maxValues)])
  .meta({ id: "TextOrList", description: "A text or a list of texts" })

/** The value of a variable: text, a list of texts, or null. */
export const variableValueSchema = textOrListSchema
  .nullable()
  .describe("Text, a list of texts, or null")

export type VariableValue = z.infer<typeof variableValueSchema>

export const variableSchema = namedObject("Variable", "A variable of a bot", {
  id: idSchema.describe("Id of the variable"),
  name: z.string().describe("Name by which texts refer to it: {{name}}"),
  isSessionVariable: optional.flag("Whether results never store it: it is for the chat alone"),
  value: variableValueSchema.optional().describe("Initial value"),
})

export type Variable = z.infer<typeof variableSchema>
