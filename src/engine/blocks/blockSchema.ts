/** The schema of a block type: what every block has, and its own members. */
import { z } from "zod"
import { edgeIdSchema, idSchema, optional } from "../schema/members.ts"

export const blockIdSchema = idSchema.meta({ id: "BlockId", description: "Id of the block" })

const blockShape = {
  id: blockIdSchema,
  outgoingEdgeId: edgeIdSchema.optional(),
}

/** What every item of a block has. */
export const itemShape = {
  id: idSchema.describe("Id of the item"),
  blockId: optional.former("The block it belongs to; before version 6 only"),
  outgoingEdgeId: edgeIdSchema.optional(),
}

export function blockSchemaOf<Type extends string, Members extends z.core.$ZodLooseShape>(
  type: Type,
  members: Members,
): z.ZodObject<typeof blockShape & { type: z.ZodLiteral<Type> } & Members> {
  return z.object({
    ...blockShape,
    type: z.literal(type).describe("Type of the block"),
    ...members,
  })
}
