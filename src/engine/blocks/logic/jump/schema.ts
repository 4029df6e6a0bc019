/** Goes to another place of the flow; a Return block comes back from it. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

export const jumpBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Jump").describe("Jump to a group"),
    options: z
      .object({
        groupId: z
          .string()
          .optional()
          .describe("Id of the group, or one {{variable}} that holds its title; absent: no jump"),
        blockId: z.string().optional().describe("Block in that group; absent: its first"),
      })
      .optional()
      .describe("Where to go"),
  })
  .meta({ id: "JumpBlock", description: "Goes to a group; Return comes back" })

export type JumpBlock = z.infer<typeof jumpBlockSchema>
