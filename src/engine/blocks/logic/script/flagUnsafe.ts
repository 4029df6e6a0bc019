/** Marks scripts of untrusted imports. */
import type { ScriptBlock } from "./schema.ts"

/** The block with `isUnsafe` as it runs in the user's browser, which is the default, or not. */
export function flagUnsafe(block: ScriptBlock): ScriptBlock {
  const isUnsafe = block.options?.isExecutedOnClient !== false
  return { ...block, options: { ...block.options, isUnsafe } }
}
