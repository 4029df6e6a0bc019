/** Takes one of two paths at random. */
import { z } from "zod"
import { edgeIdSchema, namedObject, optional } from "../../../schema/sharedMembers.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const abTestItemSchema = namedObject("ABTestItem", "One of two ways", {
  id: optional.text("Id of the item"),
  blockId: optional.former("The block it belongs to; before version 6 only"),
  path: z.enum(["a", "b"]).describe("Which of the two ways"),
  outgoingEdgeId: edgeIdSchema.optional(),
})

export const abTestBlockSchema = blockSchemaOf("AB test", {
  items: optional.list("Way a and way b", abTestItemSchema),
  options: optional.object("How often each way is taken", {
    aPercent: optional
      .number("How many of a hundred chats go way a, 0 to 100", 50)
      .meta({ title: "Share of way A" }),
  }),
}).meta({ id: "ABTestBlock" })

/** Default share of path a, in percent. */
const defaultPercent = 50

export const abTestBlock = action(abTestBlockSchema, {
  catalogue: {
    label: "A/B test",
    description:
      "Sends a share of the chats along one path at random, and the others along another",
    category: "logic",
    icon: "shuffle",
    defaults: {
      items: [
        { id: "item1", path: "a" },
        { id: "item2", path: "b" },
      ],
    },
  },
  isSilent: true,
  passes: () => true,
  edges: (block) => (block.items ?? []).map((item) => item.outgoingEdgeId),
  itemLabel(block, item) {
    const path = block.items?.[item]?.path
    const percent = block.options?.aPercent ?? defaultPercent
    return path && (path === "a" ? `A ${percent}%` : `B ${100 - percent}%`)
  },
  problems: ({ options: { aPercent = defaultPercent } = {} }) => {
    if (aPercent > 0) return []
    const message = `No chat takes way a, which gets ${aPercent} %`
    return [{ rule: "one-sided-test", at: ["options", "aPercent"], message }]
  },
  run(block, context) {
    const edgeOf = (path: "a" | "b") =>
      block.items?.find((item) => item.path === path)?.outgoingEdgeId
    const isA = context.world.random() * 100 < (block.options?.aPercent ?? defaultPercent)
    // A path that is not connected falls back to b, and b to the next block.
    const edge = (isA && edgeOf("a")) || edgeOf("b")
    return { next: edge ? { edge } : "pass" }
  },
})
