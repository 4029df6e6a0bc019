/** Comes back from a jump or from an event. */
import { z } from "zod"
import { edgeIdSchema, idSchema } from "../../../schema/id.ts"

export const returnBlockSchema = z
  .object({
    id: idSchema.describe("Id of the block"),
    type: z.literal("Return").describe("Return from a jump or an event"),
    outgoingEdgeId: edgeIdSchema.optional(),
    options: z.object({}).optional().describe("There are none"),
  })
  .meta({
    id: "ReturnBlock",
    description: "Goes back to where a jump or an event came from; without one it does nothing",
  })

export type ReturnBlock = z.infer<typeof returnBlockSchema>
