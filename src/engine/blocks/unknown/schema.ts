/** A block of a type that this service does not know, kept word for word. */
import { z } from "zod"
import { edgeIdSchema, idSchema } from "../../schema/members.ts"

export const unknownBlockSchema = z
  .looseObject({
    id: idSchema.describe("Id of the block"),
    type: z.string().min(1).max(255).describe("Any type that is not listed"),
    outgoingEdgeId: edgeIdSchema.optional(),
  })
  .meta({
    id: "UnknownBlock",
    description: "A block of an unlisted type; stored with all its members and skipped in chats",
  })

export type UnknownBlock = z.infer<typeof unknownBlockSchema>
