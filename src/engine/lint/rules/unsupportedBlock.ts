/** Block types are known. */
import type { Rule } from "../finding.ts"

/** A block that chats skip. */
export const unsupportedBlock: Rule = {
  id: "unsupported-block",
  severity: "warning",
  description: "Every block is of a type that this service can run; others are skipped.",
  remedy: "Replace the block by ones that are supported.",
  checkBlock: ({ block, type, path }) =>
    type.isUnknown
      ? [{ path: [...path, "type"], message: `Blocks of type "${block.type}" are skipped` }]
      : [],
}
