/** A variable of a bot and the values it may hold. */
import { z } from "zod"
import { idSchema, namedObject, optional } from "./members.ts"

const textOrListSchema = z
  .union([z.string(), z.array(z.string().nullable())])
  .meta({ id: "TextOrList", description: "A text or a list of texts" })

/** What a variable may hold: text, a list of texts, or nothing. */
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
