/** Asks to choose among pictures: the author's, or those that variables list. */
import { displayConditionSchema } from "../../../schema/condition.ts"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf, itemShape } from "../../blockSchema.ts"
import { choiceBlock } from "../choiceBlock.ts"
import { elementsOf } from "../choiceItems.ts"
import { choiceOptionsShape } from "../inputSchema.ts"

const pictureChoiceItemSchema = namedObject("PictureChoiceItem", "A picture to choose", {
  ...itemShape,
  pictureSrc: optional.text("Address of the picture"),
  title: optional.text("Title; without one the address is the label"),
  description: optional.text("Text below the title"),
  value: optional.text("What is saved instead of the title"),
  displayCondition: displayConditionSchema.optional(),
})

export const pictureChoiceInputBlockSchema = blockSchemaOf(
  "picture choice input",
  "A question with pictures",
  {
    items: optional.list("The pictures", pictureChoiceItemSchema),
    options: optional.named("PictureChoiceInputOptions", "How to ask", {
      ...choiceOptionsShape,
      dynamicItems: optional.named("DynamicPictures", "Variables whose elements are the pictures", {
        isEnabled: optional.flag("Whether variables give the pictures; default false"),
        titlesVariableId: optional.variableId("List of titles"),
        descriptionsVariableId: optional.variableId("List of descriptions"),
        pictureSrcsVariableId: optional.variableId("List of addresses; one picture for each"),
      }),
    }),
  },
).meta({ id: "PictureChoiceInputBlock", description: "Asks to choose among pictures" })

export const pictureChoiceInputBlock = choiceBlock(pictureChoiceInputBlockSchema, {
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
  titleOf: (item) => item.title,
  fallbackTitle: (item) => item.pictureSrc,
})
