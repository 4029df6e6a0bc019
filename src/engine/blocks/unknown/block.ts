/** Skips a block of an unknown type, with a log. */
import { z } from "zod"
import { edgeIdSchema } from "../../schema/sharedMembers.ts"
import type { Action } from "../block.ts"
import { blockIdSchema } from "../defineBlock.ts"

export const unknownBlockSchema: z.ZodType<UnknownBlock, UnknownBlock> = z
  .looseObject({
    id: blockIdSchema,
    type: z.string().min(1).max(255).describe("Any type that is not listed"),
    outgoingEdgeId: edgeIdSchema.optional(),
  })
  .meta({ id: "UnknownBlock" }) as unknown as z.ZodType<UnknownBlock, UnknownBlock>

/**
 * An unknown type: `"hologram" as UnknownBlockType` makes one. Not `string`, because then the compiler would
 * accept a faulty block of a known type as an unknown one; not a branded string, because only members of
 * enums narrow unions.
 */
export type UnknownBlockType = Unlisted

declare enum Unlisted {
  type = "",
}

/** A block of an unknown type, with all its members. */
export type UnknownBlock = {
  id: string
  type: UnknownBlockType
  outgoingEdgeId?: string | undefined
  [member: string]: unknown
}

export const unknownBlock: Action<UnknownBlock> = {
  kind: "action",
  schema: unknownBlockSchema,
  catalogue: {
    label: "Unknown block",
    description: "A block of an unlisted type; stored with all its members and skipped in chats",
    category: "logic",
    icon: "circle-question-mark",
    messengers: "none",
  },
  isUnknown: true,
  passes: () => true,
  run: ({ type }) => {
    const description = `Blocks of type "${type}" are not supported and were skipped`
    return { log: [{ status: "error", description }], next: "pass" }
  },
}
