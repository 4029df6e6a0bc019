/** The choice input: buttons, one or several of which can be chosen. */
import { z } from "zod"
import { displayConditionSchema } from "../../../schema/condition.ts"
import { edgeIdSchema, idSchema } from "../../../schema/id.ts"
import { optional } from "../../../schema/optional.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

export const choiceItemSchema = z
  .object({
    id: idSchema.describe("Id of the item"),
    blockId: optional.text("The block it belongs to; before version 6 only"),
    outgoingEdgeId: edgeIdSchema.optional(),
    content: optional.template("Label of the button"),
    value: optional.text("What is saved instead of the label"),
    displayCondition: displayConditionSchema.optional(),
  })
  .meta({ id: "ChoiceItem", description: "A button to choose" })

export type ChoiceItem = z.infer<typeof choiceItemSchema>

export const choiceInputBlockSchema = blockSchemaOf("choice input", "A question with buttons", {
  items: optional.list("The buttons", choiceItemSchema),
  options: optional.object("How to ask", {
    variableId: optional.variableId("Receives the answer"),
    isMultipleChoice: optional.flag("Whether several can be chosen; default false"),
    buttonLabel: optional.text("Label of the button that submits several"),
    dynamicVariableId: optional.variableId(
      "Variable whose elements are the buttons; the items are ignored then",
    ),
    isSearchable: optional.flag("Whether a search field is shown; default false"),
    searchInputPlaceholder: optional.text("Hint in the search field"),
    areInitialSearchButtonsVisible: optional.flag(
      "Whether buttons show before a search is typed; default true",
    ),
  }),
}).meta({ id: "ChoiceInputBlock", description: "Asks to choose among buttons" })

export type ChoiceInputBlock = z.infer<typeof choiceInputBlockSchema>
