/** Changes the blocks of a flow one by one. */
import type { Block } from "../blocks/registry.ts"
import type { Group } from "../bot.ts"
import type { Steps } from "../steps.ts"

/** The groups with their blocks changed. */
export function* eachBlock(
  groups: readonly Group[],
  change: (block: Block) => Block,
): Steps<Group[]> {
  const changed: Group[] = []
  for (const group of groups) {
    const blocks: Block[] = []
    changed.push({ ...group, blocks })
    for (const block of group.blocks) {
      blocks.push(change(block))
      yield
    }
  }
  return changed
}
