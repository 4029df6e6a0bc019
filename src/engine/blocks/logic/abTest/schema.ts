/** The A/B test block: chance decides between two ways. */
import { z } from "zod"
import { edgeIdSchema, idSchema } from "../../../schema/id.ts"

const abTestItemSchema = z
  .object({
    id: z.string().optional().describe("Id of the item"),
    blockId: z.string().optional().describe("The block it belongs to; before version 6 only"),
    path: z.enum(["a", "b"]).describe("Which of the two ways"),
    outgoingEdgeId: edgeIdSchema.optional(),
  })
  .meta({ id: "ABTestItem", description: "One of two ways" })

export const abTestBlockSchema = z
  .object({
    id: idSchema.describe("Id of the block"),
    type: z.literal("AB test").describe("A random branch"),
    outgoingEdgeId: edgeIdSchema.optional(),
    items: z.array(abTestItemSchema).optional().describe("Way a and way b"),
    options: z
      .object({
        aPercent: z
          .number()
          .optional()
          .describe("How many of a hundred chats go way a, 0 to 100; default 50"),
      })
      .optional()
      .describe("How often each way is taken"),
  })
  .meta({ id: "ABTestBlock", description: "Goes one of two ways at random" })

export type ABTestBlock = z.infer<typeof abTestBlockSchema>
