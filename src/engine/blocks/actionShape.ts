/** Members that every action block has besides its type and options. */
import { edgeIdSchema, idSchema } from "../schema/id.ts"

/** Spread it into a block's schema. */
export const actionShape = {
  id: idSchema.describe("Id of the block"),
  outgoingEdgeId: edgeIdSchema.optional(),
}
