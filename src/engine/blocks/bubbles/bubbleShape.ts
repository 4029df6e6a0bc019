/** Members that every bubble has besides its type and content. */
import { edgeIdSchema, idSchema } from "../../schema/id.ts"

/** Spread it into a block's schema. */
export const bubbleShape = {
  id: idSchema.describe("Id of the block"),
  outgoingEdgeId: edgeIdSchema
    .optional()
    .describe("Edge to follow when the block is the last of its group"),
}
