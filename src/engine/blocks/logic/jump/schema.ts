/** Goes to another place of the flow; a Return block comes back from it. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

export const jumpBlockSchema = blockSchemaOf("Jump", "Jump to a group", {
  options: optional.object("Where to go", {
    groupId: optional.text(
      "Id of the group, or one {{variable}} that holds its title; absent: no jump",
    ),
    blockId: optional.text("Block in that group; absent: its first"),
  }),
}).meta({ id: "JumpBlock", description: "Goes to a group; Return comes back" })

export type JumpBlock = z.infer<typeof jumpBlockSchema>
