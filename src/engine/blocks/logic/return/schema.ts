/** Comes back from a jump or from an event. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

export const returnBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Return").describe("Return from a jump or an event"),
    options: z.object({}).optional().describe("There are none"),
  })
  .meta({
    id: "ReturnBlock",
    description: "Goes back to where a jump or an event came from; without one it does nothing",
  })

export type ReturnBlock = z.infer<typeof returnBlockSchema>
