/** Builds inputs that offer items to choose from and differ only in the items. */
import type { z } from "zod"
import type { DisplayCondition } from "../../schema/condition.ts"
import { interpolate, type Scope } from "../../variables/interpolate.ts"
import { interpolateStructure } from "../../variables/interpolateStructure.ts"
import type { BlockBase, Input, Offer } from "../block.ts"
import { displayConditions, displayedItems, noItems, unlabelled } from "./choiceItems.ts"
import { judgeChoice } from "./judgeChoice.ts"
import { detailsOf, sampleChoices, withReplies } from "./sampleChoices.ts"

type Item = {
  id: string
  value?: string | undefined
  outgoingEdgeId?: string | undefined
  displayCondition?: DisplayCondition | undefined
}

type ChoiceBlock = BlockBase & {
  items?: Item[] | undefined
  options?: { isMultipleChoice?: boolean | undefined } | undefined
}

type ItemOf<B extends ChoiceBlock> = NonNullable<B["items"]>[number]

/** The parts in which the types differ. */
type Choices<B extends ChoiceBlock> = Pick<Input<B>, "catalogue" | "replyName"> & {
  /** Whether the items come from variables instead of the author. */
  isDynamic(block: B): boolean
  /** The items from variables; undefined while these are unset, which shows the block as stored. */
  dynamicItems(block: B, scope: Scope): ItemOf<B>[] | undefined
  /** Label of an item; without one it is not offered. */
  labelOf(item: ItemOf<B>): string | undefined
  /** Further texts of an item. Absent: none. */
  details?(item: ItemOf<B>): (string | undefined)[]
}

/** The block type of a question with items to choose. */
export function choiceBlock<B extends ChoiceBlock>(
  schema: z.ZodType<B, B>,
  { catalogue, replyName, isDynamic, dynamicItems, labelOf, details }: Choices<B>,
): Input<B> {
  const hasLabel = (item: ItemOf<B>) => Boolean(labelOf(item)?.trim())
  const itemsNow = (block: B, scope: Scope): ItemOf<B>[] | undefined =>
    (isDynamic(block) ? dynamicItems(block, scope) : displayedItems(block.items, scope))?.filter(
      hasLabel,
    )
  const offersOf = ({ items = [] }: B): Offer[] =>
    withReplies(
      items.map((item: ItemOf<B>) => {
        const label = labelOf(item) || item.id
        const more = detailsOf(label, ...(details?.(item) ?? []))
        return { id: item.id, label, value: item.value ?? "", details: more }
      }),
    )
  return {
    kind: "input",
    schema,
    catalogue,
    replyName,
    takesOpeningMessage: false,
    isChoice: true,
    labels: ({ items = [], options }) =>
      options?.isMultipleChoice
        ? items.map((item) => item.value || labelOf(item)?.trim() || "")
        : undefined,
    choices: (block) =>
      isDynamic(block)
        ? undefined
        : (block.items ?? []).filter(hasLabel).map((item) => item.value || labelOf(item) || ""),
    offers: offersOf,
    samples: (asked) => sampleChoices(offersOf(asked), asked.options?.isMultipleChoice),
    edges: ({ items = [] }) => items.map((item) => item.outgoingEdgeId),
    itemLabel({ items }, index) {
      const item = items?.[index]
      return item && labelOf(item)
    },
    conditions: ({ items }) =>
      displayConditions(items, ({ displayCondition }) => ({
        at: ["displayCondition"],
        when: displayCondition,
      })),
    problems: (block) =>
      isDynamic(block) ? [] : [...noItems(block.items), ...unlabelled(block.items, labelOf)],
    ask(block, context) {
      const items = itemsNow(block, context)
      if (items) return { options: interpolateStructure(block.options, context), items }
      const { items: stored = [] } = block
      return stored.length > 0 && stored.every(hasLabel) ? {} : { items: stored.filter(hasLabel) }
    },
    reply(block, message, context) {
      const stored = block.items ?? []
      const question = {
        choices: (itemsNow(block, context) ?? stored.filter(hasLabel)).map((item) => ({
          ...item,
          label: labelOf(item) || "",
        })),
        isMultipleChoice: block.options?.isMultipleChoice,
        stored: stored.map((item) => ({
          label: interpolate(labelOf(item), context),
          outgoingEdgeId: item.outgoingEdgeId,
        })),
      }
      return judgeChoice(question, message, context.fuel)
    },
  }
}
