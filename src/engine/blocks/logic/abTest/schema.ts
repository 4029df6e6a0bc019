/** The A/B test block: chance decides between two ways. */
import { z } from "zod"
import { edgeIdSchema, namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const abTestItemSchema = namedObject("ABTestItem", "One of two ways", {
  id: optional.text("Id of the item"),
  blockId: optional.text("The block it belongs to; before version 6 only"),
  path: z.enum(["a", "b"]).describe("Which of the two ways"),
  outgoingEdgeId: edgeIdSchema.optional(),
})

export const abTestBlockSchema = blockSchemaOf("AB test", "A random branch", {
  items: optional.list("Way a and way b", abTestItemSchema),
  options: optional.object("How often each way is taken", {
    aPercent: optional.number("How many of a hundred chats go way a, 0 to 100; default 50"),
  }),
}).meta({ id: "ABTestBlock", description: "Goes one of two ways at random" })

export type ABTestBlock = z.infer<typeof abTestBlockSchema>
