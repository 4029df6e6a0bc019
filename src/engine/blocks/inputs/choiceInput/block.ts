/** Asks to choose among buttons: the author's, or the elements of a variable. */
import { displayConditionSchema } from "../../../schema/condition.ts"
import { namedObject, optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf, itemShape } from "../../defineBlock.ts"
import { choiceOptionsShape } from "../asking.ts"
import { choiceBlock } from "../choiceBlock.ts"
import { elementsOf } from "../choiceItems.ts"

const choiceItemSchema = namedObject("ChoiceItem", "A button to choose", {
  ...itemShape,
  content: optional.template("Label of the button"),
  value: optional.template("Value to save instead of the label"),
  displayCondition: displayConditionSchema.optional(),
})

export const choiceInputBlockSchema = blockSchemaOf("choice input", {
  items: optional.list("The buttons", choiceItemSchema),
  options: optional.named("ChoiceInputOptions", "How to ask", {
    ...choiceOptionsShape,
    dynamicVariableId: optional.variableId(
      "Variable whose elements are the buttons; the items are ignored then",
    ),
    areInitialSearchButtonsVisible: optional.flag(
      "Whether buttons show before a search is typed",
      true,
    ),
  }),
}).meta({ id: "ChoiceInputBlock" })

export const choiceInputBlock = choiceBlock(choiceInputBlockSchema, {
  catalogue: {
    label: "Buttons",
    description: "Offers buttons to choose one or several from, each with a path of its own",
    category: "choices",
    icon: "list-checks",
    messengers: { whatsapp: "reduced", telegram: "full" },
    defaults: {
      items: [
        { id: "item1", content: "Yes" },
        { id: "item2", content: "No" },
      ],
    },
  },
  replyName: "buttons",
  isDynamic: ({ options }) => Boolean(options?.dynamicVariableId),
  dynamicItems: ({ options }, scope) => {
    const contents = elementsOf(options?.dynamicVariableId, scope)?.filter((text) => text)
    if (!contents) return undefined
    return Array.from(new Set(contents), (content, index) => ({
      id: `choice${index}`,
      content: content ?? "",
    }))
  },
  labelOf: (item) => item.content,
})
