/** A connection between two places of a flow. */
import { z } from "zod"
import { idSchema } from "./id.ts"

const sourceSchema = z
  .object({
    eventId: z.string().optional().describe("The event it leaves from"),
    blockId: z.string().optional().describe("The block it leaves from"),
    itemId: z.string().optional().describe("The item of that block"),
    pathId: z.string().optional().describe("The path of that item"),
  })
  .refine((from) => from.eventId !== undefined || from.blockId !== undefined, {
    message: "An edge starts at a block (blockId) or at an event (eventId)",
  })
  .meta({ id: "EdgeSource", description: "Where an edge starts: a block or an event" })

export const edgeSchema = z
  .object({
    id: idSchema.describe("Id of the edge"),
    from: sourceSchema.describe("Where it starts; the run time follows outgoingEdgeId instead"),
    to: z
      .object({
        groupId: z.string().describe("Target group"),
        blockId: z.string().optional().describe("Target block; absent: the first of the group"),
      })
      .meta({ id: "EdgeTarget", description: "Where an edge leads" }),
  })
  .meta({ id: "Edge", description: "A connection between two places of a flow" })

export type Edge = z.infer<typeof edgeSchema>
