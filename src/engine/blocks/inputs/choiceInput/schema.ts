/** The choice input: buttons, one or several of which can be chosen. */
import type { z } from "zod"
import { displayConditionSchema } from "../../../schema/condition.ts"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf, itemShape } from "../../blockSchema.ts"
import { choiceOptionsShape } from "../inputSchema.ts"

export const choiceItemSchema = namedObject("ChoiceItem", "A button to choose", {
  ...itemShape,
  content: optional.template("Label of the button"),
  value: optional.text("What is saved instead of the label"),
  displayCondition: displayConditionSchema.optional(),
})

export type ChoiceItem = z.infer<typeof choiceItemSchema>

export const choiceInputBlockSchema = blockSchemaOf("choice input", "A question with buttons", {
  items: optional.list("The buttons", choiceItemSchema),
  options: optional.object("How to ask", {
    ...choiceOptionsShape,
    dynamicVariableId: optional.variableId(
      "Variable whose elements are the buttons; the items are ignored then",
    ),
    areInitialSearchButtonsVisible: optional.flag(
      "Whether buttons show before a search is typed; default true",
    ),
  }),
}).meta({ id: "ChoiceInputBlock", description: "Asks to choose among buttons" })

export type ChoiceInputBlock = z.infer<typeof choiceInputBlockSchema>
