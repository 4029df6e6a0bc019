/** Options that the schemas of several inputs share. */
import { z } from "zod"
import { optional } from "../../schema/optional.ts"

/** The option that every input has. */
export const answerShape = {
  variableId: optional.variableId("Variable that receives the answer"),
}

/** The option of inputs that have their own words for a reply that is not valid. */
export const retryShape = {
  retryMessageContent: optional.template("What to say to a reply that is not valid"),
}

/** One text that may hold tokens. */
export function labelSchema(description: string) {
  return optional.text(`${description}; may hold {{variables}}`)
}

/** Placeholder and button of an input that is typed into. */
export const typedLabelsSchema = z
  .object({
    placeholder: optional.template("Shown while nothing is typed"),
    button: optional.template("Label of the button; default Send"),
  })
  .meta({ id: "TypedInputLabels", description: "Texts around a typed answer" })

/** Who may read the files of an end user. `Private`: members of the workspace only. `Auto` and `Public`: whoever has the address. */
export const visibilitySchema = z
  .enum(["Auto", "Public", "Private"])
  .describe("Private: only members of the workspace may read the files; default Auto, like Public")
