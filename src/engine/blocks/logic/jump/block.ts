/** Goes to another place of the flow. */
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const jumpBlockSchema = blockSchemaOf("Jump", {
  options: optional.object("Where to go", {
    groupId: optional.hinted(
      "Id of the group, or one {{variable}} that holds its title; absent: no jump",
      { refersTo: "group", template: true },
    ),
    blockId: optional.hinted("Block in that group; absent: its first", { refersTo: "block" }),
  }),
}).meta({ id: "JumpBlock" })

export const jumpBlock = action(jumpBlockSchema, {
  catalogue: {
    label: "Jump",
    description: "Goes on in another group, from where Return comes back",
    category: "logic",
    icon: "corner-down-right",
  },
  passes: ({ options }) => !options?.groupId,
  staticTarget: ({ options }) =>
    options?.groupId
      ? { at: ["options"], groupId: options.groupId, blockId: options.blockId }
      : undefined,
  isSilent: true,
  problems: ({ options }) =>
    options?.groupId
      ? []
      : [{ rule: "missing-jump-target", at: [], message: "No group to jump to was chosen" }],
  run: (block, context) => {
    const { groupId, blockId } = block.options ?? {}
    if (!groupId) return { next: "pass" }
    const group =
      singleToken(groupId) === undefined
        ? { groupId }
        : { groupTitle: interpolate(groupId, context) }
    return { next: { jump: { ...group, ...(blockId ? { blockId } : {}) } } }
  },
})
