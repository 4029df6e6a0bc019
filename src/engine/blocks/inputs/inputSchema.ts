/** Options that the schemas of several inputs share. */
import { z } from "zod"
import { namedObject, optional } from "../../schema/members.ts"

/** The option that every input has. */
export const answerShape = {
  variableId: optional.variableId("Variable that receives the answer"),
}

/** The option of inputs that have their own text for an invalid reply. */
export const retryShape = {
  retryMessageContent: optional.template("What to say to a reply that is not valid"),
}

/** Placeholder and button of an input that is typed into. */
export const typedLabelsSchema = namedObject("TypedInputLabels", "Texts around a typed answer", {
  placeholder: optional.template("Shown while nothing is typed"),
  button: optional.template("Label of the button; default Send"),
})

/** Who may read the files of an end user; `Auto` and `Public`: anybody who has the address. */
export const visibilitySchema = z.enum(["Auto", "Public", "Private"]).meta({
  id: "FileVisibility",
  description:
    "Private: only members of the workspace may read the files; default Auto, like Public",
})

/** Options of a question with items to choose. */
export const choiceOptionsShape = {
  variableId: optional.variableId("Receives the answer"),
  isMultipleChoice: optional.flag("Whether several can be chosen", false),
  isSearchable: optional.flag("Whether a search field is shown", false),
  buttonLabel: optional.template("Label of the button that submits several"),
  searchInputPlaceholder: optional.template("Hint in the search field"),
}
