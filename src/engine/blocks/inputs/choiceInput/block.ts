/** Asks to choose among buttons: the author's, or the elements of a variable. */
import { choiceBlock } from "../choiceBlock.ts"
import { elementsOf } from "../choiceItems.ts"
import { choiceInputBlockSchema } from "./schema.ts"

export const choiceInputBlock = choiceBlock(choiceInputBlockSchema, {
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
  titleOf: (item) => item.content,
})
