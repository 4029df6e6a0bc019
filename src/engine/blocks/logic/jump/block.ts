/** Goes to another place of the flow. */
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import type { Action } from "../../block.ts"
import { type JumpBlock, jumpBlockSchema } from "./schema.ts"

export const jumpBlock: Action<JumpBlock> = {
  kind: "action",
  schema: jumpBlockSchema,
  replay: "run",
  staticTarget: ({ options }) =>
    options?.groupId
      ? { at: ["options"], groupId: options.groupId, blockId: options.blockId }
      : undefined,
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
}
