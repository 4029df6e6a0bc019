/** The members that the schema of every input has. */
import { z } from "zod"
import { edgeIdSchema, idSchema, variableIdSchema } from "../../schema/id.ts"

/** Members of the block besides `type` and `options`. */
export const inputShape = {
  id: idSchema.describe("Id of the block"),
  outgoingEdgeId: edgeIdSchema.optional(),
}

/** The option that every input has. */
export const answerShape = {
  variableId: variableIdSchema.optional().describe("Variable that receives the answer"),
}

/** The option of inputs that have their own words for a reply that is not valid. */
export const retryShape = {
  retryMessageContent: z
    .string()
    .optional()
    .describe("What to say to a reply that is not valid; may hold {{variables}}"),
}
