/** Stored form of the options that have a model fill variables from a text. */
import { z } from "zod"
import { idSchema, variableIdSchema } from "../../schema/id.ts"
import { text } from "./serviceSchema.ts"

/** Members of the options, beside model and credential. */
export const extractionShape = {
  prompt: text("Generate variables: what to draw the values from"),
  variablesToExtract: z
    .array(
      z
        .object({
          id: idSchema.optional().describe("Id of the entry"),
          type: z
            .enum(["string", "number", "boolean", "array", "enum"])
            .optional()
            .describe("Type of the value; array: a list of texts; default string"),
          variableId: variableIdSchema.optional(),
          description: text("What the value is, for the model"),
          isRequired: z.boolean().optional().describe("Whether there must be one; default true"),
          values: z.array(z.string()).optional().describe("Allowed values of an enum"),
        })
        .meta({ id: "VariableToExtract", description: "A variable for a model to fill" }),
    )
    .optional()
    .describe("Generate variables: the variables to fill"),
}

const extractionSchema = z.object(extractionShape)

export type ExtractionOptions = z.infer<typeof extractionSchema> & {
  model?: string | undefined
  baseUrl?: string | undefined
  apiVersion?: string | undefined
}
