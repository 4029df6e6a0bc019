/** Asks to choose among buttons: the author's, or the elements of a variable. */
import { interpolate, interpolateStructure } from "../../../variables/interpolate.ts"
import type { Scope } from "../../../variables/scope.ts"
import type { Input } from "../../block.ts"
import { displayConditions, displayedItems, elementsOf, noItems } from "../choiceItems.ts"
import { judgeChoice } from "../judgeChoice.ts"
import { type ChoiceInputBlock, type ChoiceItem, choiceInputBlockSchema } from "./schema.ts"

export const choiceInputBlock: Input<ChoiceInputBlock> = {
  kind: "input",
  schema: choiceInputBlockSchema,
  replyName: "buttons",
  takesOpeningMessage: false,
  edges: (block) => (block.items ?? []).map((item) => item.outgoingEdgeId),
  conditions: ({ items }) =>
    displayConditions(items, (item) => ({ at: ["displayCondition"], when: item.displayCondition })),
  problems: ({ items, options }) => noItems(items, Boolean(options?.dynamicVariableId)),
  ask(block, context) {
    const items = itemsNow(block, context)
    return items ? { options: interpolateStructure(block.options, context), items } : {}
  },
  reply(block, message, context) {
    const question = {
      choices: (itemsNow(block, context) ?? block.items ?? []).map(called),
      isMultipleChoice: block.options?.isMultipleChoice,
      stored: (block.items ?? []).map((item) => ({
        label: interpolate(item.content, context),
        outgoingEdgeId: item.outgoingEdgeId,
      })),
    }
    return judgeChoice(question, message, context.fuel)
  },
}

/** Undefined while the variable that gives the buttons is unset: the block shows as it is stored. */
function itemsNow(block: ChoiceInputBlock, scope: Scope): ChoiceItem[] | undefined {
  const variableId = block.options?.dynamicVariableId
  if (!variableId) return displayedItems(block.items, scope)
  const contents = elementsOf(scope.variables.value(variableId), scope.fuel)?.filter((text) => text)
  if (!contents) return undefined
  return Array.from(new Set(contents), (content, index) => ({
    id: `choice${index}`,
    content: content ?? "",
  }))
}

function called(item: ChoiceItem) {
  return { ...item, label: item.content ?? "" }
}
