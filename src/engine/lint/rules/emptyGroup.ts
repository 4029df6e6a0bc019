/** Every group has blocks. */
import type { Rule } from "../finding.ts"

/** A group in which a chat just ends. */
export const emptyGroup: Rule = {
  id: "empty-group",
  severity: "warning",
  description: "Every group has at least one block; a chat that enters an empty one ends there.",
  remedy: "Add a block, or delete the group.",
  check: ({ flow }) =>
    flow.groups.flatMap(({ blocks }, index) =>
      blocks.length > 0
        ? []
        : [{ path: ["groups", index, "blocks"], message: "The group has no blocks" }],
    ),
}
