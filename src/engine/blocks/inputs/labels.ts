/** The texts around a typed answer. */
import { z } from "zod"

/** One text that may hold tokens. */
export function labelSchema(description: string) {
  return z.string().optional().describe(`${description}; may hold {{variables}}`)
}

/** Placeholder and button of an input that is typed into. */
export const typedLabelsSchema = z
  .object({
    placeholder: labelSchema("Shown while nothing is typed"),
    button: labelSchema("Label of the button; default Send"),
  })
  .meta({ id: "TypedInputLabels", description: "Texts around a typed answer" })
