/** Changes the blocks of a flow one by one. */
import type { Block } from "../blocks/registry.ts"
import type { Group } from "../bot.ts"

/** The groups with their blocks changed. */
export function eachBlock(groups: readonly Group[], change: (block: Block) => Block): Group[] {
  return groups.map((group) => ({ ...group, blocks: group.blocks.map((block) => change(block)) }))
}
