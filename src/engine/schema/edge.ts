/** A connection between two places of a flow. */
import { z } from "zod"
import { idSchema, namedObject, optional } from "./sharedMembers.ts"

const sourceSchema = z
  .object({
    eventId: optional.text("The event it leaves from"),
    blockId: optional.text("The block it leaves from"),
    itemId: optional.text("The item of that block"),
    pathId: optional.text("The path of that item"),
  })
  .refine((from) => from.eventId !== undefined || from.blockId !== undefined, {
    message: "An edge starts at a block (blockId) or at an event (eventId)",
  })
  .meta({ id: "EdgeSource", description: "Where an edge starts: a block or an event" })

export const edgeSchema = namedObject("Edge", "A connection between two places of a flow", {
  id: idSchema.describe("Id of the edge"),
  from: sourceSchema.describe("Where it starts; the run time follows outgoingEdgeId instead"),
  to: namedObject("EdgeTarget", "Where an edge leads", {
    groupId: z.string().describe("Target group"),
    blockId: optional.text("Target block; absent: the first of the group"),
  }),
})

export type Edge = z.infer<typeof edgeSchema>
