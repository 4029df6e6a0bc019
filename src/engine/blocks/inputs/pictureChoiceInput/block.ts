/** Asks to choose among pictures: the author's, or those that variables list. */
import { choiceBlock } from "../choiceBlock.ts"
import { elementsOf } from "../choiceItems.ts"
import { pictureChoiceInputBlockSchema } from "./schema.ts"

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
