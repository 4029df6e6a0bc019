/** Skips a block of a type that this service does not know, and says so in the log. */
import { z } from "zod"
import { edgeIdSchema } from "../../schema/members.ts"
import type { Action } from "../block.ts"
import { blockIdSchema } from "../blockSchema.ts"

export const unknownBlockSchema = z
  .looseObject({
    id: blockIdSchema,
    type: z.string().min(1).max(255).describe("Any type that is not listed"),
    outgoingEdgeId: edgeIdSchema.optional(),
  })
  .meta({
    id: "UnknownBlock",
    description: "A block of an unlisted type; stored with all its members and skipped in chats",
  })

export type UnknownBlock = z.infer<typeof unknownBlockSchema>

export const unknownBlock: Action<UnknownBlock> = {
  kind: "action",
  schema: unknownBlockSchema,
  isUnknown: true,
  replay: "run",
  run: (block) => ({
    log: [
      {
        status: "error",
        description: `Blocks of type "${block.type}" are not supported and were skipped`,
      },
    ],
    next: "pass",
  }),
}
