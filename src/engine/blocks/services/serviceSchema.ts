/** Options that the service blocks share, and how one is declared. */
import { z } from "zod"
import { idSchema, variableIdSchema } from "../../schema/id.ts"

/** Which action runs. Names we do not know are kept, and not run. */
export const actionOption = (names: readonly string[]) =>
  z
    .string()
    .optional()
    .describe(`What to do: ${names.join(", ")}`)

export const credentialsOption = z
  .string()
  .optional()
  .describe("Credential of this workspace to use; it has the type of the block")

/** A text option. */
export const text = (description: string) =>
  z.string().optional().describe(`${description}; may hold {{variables}}`)

/** A number, or a variable that holds one. */
export const numberOrVariable = (description: string) =>
  z.union([z.number(), z.string()]).optional().describe(`${description}: a number or a variable`)

/** A reference to a variable with a meaning. */
export const variableOption = (description: string) =>
  variableIdSchema.optional().describe(description)

/**
 * Which parts of an answer go into which variables; an entry without `item` means the first name.
 * `id` names the entry in the published document: needed where several types share the names.
 */
export const itemMappingSchema = (names: readonly string[], id?: string) => {
  const entry = z.object({
    id: idSchema.optional().describe("Id of the entry"),
    item: z
      .string()
      .optional()
      .describe(`Part: ${names.join(", ")}; default the first`),
    variableId: variableIdSchema.optional(),
  })
  return z
    .array(id === undefined ? entry : entry.meta({ id }))
    .optional()
    .describe("Variables to fill from the answer")
}
