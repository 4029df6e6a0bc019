/** Asks to choose among pictures: the author's, or those that variables list. */
import { displayConditionSchema } from "../../../schema/condition.ts"
import { namedObject, optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf, itemShape } from "../../defineBlock.ts"
import { choiceOptionsShape } from "../asking.ts"
import { choiceBlock } from "../choiceBlock.ts"
import { elementsOf } from "../choiceItems.ts"

const pictureChoiceItemSchema = namedObject("PictureChoiceItem", "A picture to choose", {
  ...itemShape,
  pictureSrc: optional.template("Address of the picture"),
  title: optional.template("Title; without one the address is the label"),
  description: optional.template("Text below the title"),
  value: optional.template("Value to save instead of the title"),
  displayCondition: displayConditionSchema.optional(),
})

export const pictureChoiceInputBlockSchema = blockSchemaOf("picture choice input", {
  items: optional.list("The pictures", pictureChoiceItemSchema),
  options: optional.named("PictureChoiceInputOptions", "How to ask", {
    ...choiceOptionsShape,
    dynamicItems: optional.named("DynamicPictures", "Variables whose elements are the pictures", {
      isEnabled: optional.flag("Whether variables give the pictures", false),
      titlesVariableId: optional.variableId("List of titles"),
      descriptionsVariableId: optional.variableId("List of descriptions"),
      pictureSrcsVariableId: optional
        .variableId("List of addresses; one picture for each")
        .meta({ title: "Addresses variable" }),
    }),
  }),
}).meta({ id: "PictureChoiceInputBlock" })

export const pictureChoiceInputBlock = choiceBlock(pictureChoiceInputBlockSchema, {
  catalogue: {
    label: "Picture choice",
    description: "Offers pictures to choose one or several from, each with a path of its own",
    category: "choices",
    icon: "images",
    messengers: "reduced",
    defaults: {
      items: [
        { id: "item1", title: "First" },
        { id: "item2", title: "Second" },
      ],
    },
  },
  replyName: "picture choice",
  isDynamic: ({ options }) => {
    const { isEnabled, pictureSrcsVariableId } = options?.dynamicItems ?? {}
    return isEnabled === true && Boolean(pictureSrcsVariableId)
  },
  dynamicItems: ({ options }, scope) => {
    const variables = options?.dynamicItems
    const titles = elementsOf(variables?.titlesVariableId, scope)
    const descriptions = elementsOf(variables?.descriptionsVariableId, scope)
    return elementsOf(variables?.pictureSrcsVariableId, scope)?.flatMap((pictureSrc, index) =>
      pictureSrc
        ? {
            id: String(index),
            pictureSrc,
            title: titles?.[index] ?? "",
            description: descriptions?.[index] ?? "",
          }
        : [],
    )
  },
  labelOf: (item) => item.title || item.pictureSrc,
  details: ({ description, pictureSrc }) => [description, pictureSrc],
})
