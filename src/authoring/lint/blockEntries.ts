/** The blocks of a flow with their paths. */
import { type Block, type BlockType, typeOf } from "../../engine/blocks/registry.ts"
import type { Flow, Group } from "../../engine/bot.ts"
import { pick, pickList, pickText } from "../../lib/foreignJson.ts"
import type { Path } from "./location.ts"

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

/** A way out of a block by an item, or by a button of an item. */
type ItemExit = { path: Path; edgeId: string | undefined; item: number }

/** The ways out of a block by its items; none for unknown types. */
export function itemExits({ block, type, path }: BlockEntry): ItemExit[] {
  if (type.isUnknown) return []
  return pickList(block, "items").flatMap((each, item): ItemExit[] => {
    const here = [...path, "items", item]
    const exit = (from: unknown, at: Path): ItemExit => {
      return { path: at, edgeId: pickText(from, "outgoingEdgeId"), item }
    }
    if (pick(each, "paths") === undefined) return [exit(each, here)]
    return pickList(each, "paths").map((button, at) => exit(button, [...here, "paths", at]))
  })
}
