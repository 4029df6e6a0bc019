/** Brings file inputs of versions 4 and 5 up to date: the size limit is the service's own. */
import type { FileInputBlock } from "./schema.ts"

/** The block without `sizeLimit`. */
export function from5(block: FileInputBlock): FileInputBlock {
  if (block.options?.sizeLimit === undefined) return block
  const { sizeLimit: _, ...options } = block.options
  return { ...block, options }
}
