/** Members that nearly every block has besides its type and what it holds. */
import { edgeIdSchema, idSchema } from "../schema/id.ts"

/** Spread it into a block's schema. */
export const blockShape = {
  id: idSchema.describe("Id of the block"),
  outgoingEdgeId: edgeIdSchema.optional(),
}
