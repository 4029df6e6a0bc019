/** Asks to choose among pictures: the author's, or those that variables list. */
import { interpolate, interpolateStructure } from "../../../variables/interpolate.ts"
import type { Scope } from "../../../variables/scope.ts"
import type { Input } from "../../block.ts"
import { displayConditions, displayedItems, elementsOf, noItems } from "../choiceItems.ts"
import { judgeChoice } from "../judgeChoice.ts"
import {
  type PictureChoiceInputBlock,
  type PictureChoiceItem,
  pictureChoiceInputBlockSchema,
} from "./schema.ts"

export const pictureChoiceInputBlock: Input<PictureChoiceInputBlock> = {
  kind: "input",
  schema: pictureChoiceInputBlockSchema,
  replyName: "picture choice",
  takesOpeningMessage: false,
  edges: (block) => (block.items ?? []).map((item) => item.outgoingEdgeId),
  conditions: ({ items }) =>
    displayConditions(items, (item) => ({ at: ["displayCondition"], when: item.displayCondition })),
  problems: ({ items, options }) => {
    const { isEnabled, pictureSrcsVariableId } = options?.dynamicItems ?? {}
    return noItems(items, isEnabled === true && Boolean(pictureSrcsVariableId))
  },
  ask(block, context) {
    const items = itemsNow(block, context)
    return items ? { options: interpolateStructure(block.options, context), items } : {}
  },
  reply(block, message, context) {
    const question = {
      choices: (itemsNow(block, context) ?? block.items ?? []).map((item) => ({
        ...item,
        label: item.title || (item.pictureSrc ?? ""),
      })),
      isMultipleChoice: block.options?.isMultipleChoice,
      stored: (block.items ?? []).map((item) => ({
        label: interpolate(item.title, context),
        outgoingEdgeId: item.outgoingEdgeId,
      })),
    }
    return judgeChoice(question, message, context.fuel)
  },
}

/** Undefined while the variable that gives the pictures is unset: the block shows as it is stored. */
function itemsNow(block: PictureChoiceInputBlock, scope: Scope): PictureChoiceItem[] | undefined {
  const dynamic = block.options?.dynamicItems
  if (!dynamic?.isEnabled || !dynamic.pictureSrcsVariableId) {
    return displayedItems(block.items, scope)
  }
  const elements = (variableId: string | undefined) =>
    variableId ? elementsOf(scope.variables.value(variableId), scope.fuel) : undefined
  const titles = elements(dynamic.titlesVariableId)
  const descriptions = elements(dynamic.descriptionsVariableId)
  return elements(dynamic.pictureSrcsVariableId)?.flatMap((pictureSrc, index) =>
    pictureSrc
      ? {
          id: String(index),
          pictureSrc,
          title: titles?.[index] ?? "",
          description: descriptions?.[index] ?? "",
        }
      : [],
  )
}
