/** Options that service blocks share. */
import { z } from "zod"
import { entryIdSchema, hinted, optional, variableIdSchema } from "../../schema/members.ts"

/** Which action runs. Unknown names are stored but do nothing. */
export const actionOption = (names: readonly string[]) =>
  optional.text(`What to do: ${names.join(", ")}`).meta({ examples: [...names] })

export const credentialsOption = z
  .string()
  .meta({
    id: "CredentialsId",
    ...hinted("Credential of this workspace to use; it has the type of the block", {
      credentials: true,
    }),
  })
  .optional()

/**
 * Which parts of an answer go into which variables; an entry without `item` means the first name.
 * `id` names the entry in the published document: needed where several types share the names.
 */
export const itemMappingSchema = (names: readonly string[], id?: string) => {
  const entry = z.object({
    id: entryIdSchema.optional(),
    item: optional
      .text(`Part: ${names.join(", ")}; default the first`)
      .meta({ examples: [...names] }),
    variableId: variableIdSchema.optional(),
  })
  return optional.list(
    "Variables to fill from the answer",
    id === undefined ? entry : entry.meta({ id }),
  )
}
