/** Goes where the first true condition leads; when none is true, the block's own edge is the else. */
import { holds } from "../../../conditions.ts"
import { conditionSchema } from "../../../schema/condition.ts"
import { namedObject, optional } from "../../../schema/sharedMembers.ts"
import { action, blockSchemaOf, itemShape } from "../../defineBlock.ts"

const conditionItemSchema = namedObject("ConditionItem", "A condition and where it leads", {
  ...itemShape,
  content: conditionSchema.optional(),
})

export const conditionBlockSchema = blockSchemaOf("Condition", {
  items: optional.list("Conditions, tried in order", conditionItemSchema),
}).meta({ id: "ConditionBlock" })

export const conditionBlock = action(conditionBlockSchema, {
  catalogue: {
    label: "Condition",
    description: "Follows the path of the first condition that holds",
    category: "logic",
    icon: "split",
    defaults: { items: [{ id: "item1", content: { comparisons: [{ id: "comparison1" }] } }] },
  },
  edges: (block) => (block.items ?? []).map((item) => item.outgoingEdgeId),
  itemLabel: (block, item) => block.items?.[item]?.content,
  isSilent: true,
  needsItemEdges: true,
  conditions: ({ items = [] }) =>
    items.length === 0
      ? [{ at: [], condition: undefined }]
      : items.map(({ content }, index) => ({
          at: content ? ["items", index, "content"] : ["items", index],
          condition: content,
        })),
  mentions(block) {
    const comparisons = (block.items ?? []).flatMap((item) => item.content?.comparisons ?? [])
    return {
      texts: comparisons.map((comparison) => comparison.value),
      variableIds: comparisons.map((comparison) => comparison.variableId),
    }
  },
  run(block, context) {
    const first = block.items?.find((item) => holds(item.content, context))
    if (!first) return {}
    return { next: first.outgoingEdgeId ? { edge: first.outgoingEdgeId } : "end" }
  },
})
