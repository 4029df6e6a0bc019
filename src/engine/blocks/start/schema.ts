/** Where a flow of schema version 3, 4 or 5 begins. */
import { z } from "zod"
import { edgeIdSchema, idSchema } from "../../schema/id.ts"

export const startBlockSchema = z
  .object({
    id: idSchema.describe("Id of the block"),
    type: z.literal("start").describe("The start of a flow before version 6"),
    label: z.string().optional().describe("Text on the builder's canvas"),
    outgoingEdgeId: edgeIdSchema.optional(),
  })
  .meta({
    id: "StartBlock",
    description: "First block of the first group before version 6; later versions have an event",
  })

export type StartBlock = z.infer<typeof startBlockSchema>
