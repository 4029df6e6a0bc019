/** The blocks of a flow and where they stand. */
import { type Block, type BlockType, typeOf } from "../../engine/blocks/registry.ts"
import type { Flow, Group } from "../../engine/bot.ts"
import type { Path } from "./location.ts"

/** A block and where it stands. */
export type BlockEntry = {
  /** Number of the block within the flow, from 0. */
  number: number
  block: Block
  type: BlockType
  group: Group
  /** Index within the group. */
  index: number
  path: Path
}

/** Every block, in the order of the flow. */
export function blocksIn(flow: Flow): BlockEntry[] {
  const blocks: BlockEntry[] = []
  for (const [at, group] of flow.groups.entries()) {
    for (const [index, block] of group.blocks.entries()) {
      const path = ["groups", at, "blocks", index]
      blocks.push({ number: blocks.length, block, type: typeOf(block), group, index, path })
    }
  }
  return blocks
}
