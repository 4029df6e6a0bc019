/**
 * Where things are in the box of a group. Sizes follow from the contents alone, so that edges are drawn and
 * flows are laid out before, and without, a browser that has measured anything.
 */

import type { Block, BotGroup, CatalogueEntry } from "../editing.ts"
import { type BlockExits, type Exit, exitsOfBlock } from "./exitsOf.ts"
import { isSaid, isShare, listAt } from "./reading.ts"
import { linesOf } from "./richTextWords.ts"

/** In pixels, as Canvas.module.css has them. */
export const sizes = {
  width: 288,
  header: 44,
  /** Above and below the text of a block. */
  padding: 8,
  line: 20,
  item: 32,
  foot: 8,
  empty: 48,
  event: { width: 200, height: 44 },
} as const

const maxLines = 3

export type ExitRow = { exit: Exit | undefined; y: number }

export type BlockLayout = {
  block: Block
  entry: CatalogueEntry | undefined
  exits: BlockExits
  /** Top, within the group. */
  y: number
  height: number
  /** Lines of its own words. */
  lines: number
  /** Whether its own edge has a row of its own below those of its items. */
  hasOtherwise: boolean
}

export type GroupLayout = {
  height: number
  blocks: BlockLayout[]
  /** Every exit with the middle of its handle, within the group. */
  exits: { exit: Exit; y: number }[]
}

type EntryOf = (type: string) => CatalogueEntry | undefined

export function layoutGroup(group: BotGroup, entryOf: EntryOf): GroupLayout {
  let y: number = sizes.header
  const exits: GroupLayout["exits"] = []
  const blocks = group.blocks.map((block): BlockLayout => {
    const entry = entryOf(block.type)
    const own = exitsOfBlock(block, entry)
    const lines = isSaid(block) ? Math.min(maxLines, linesOf(block)) : 1
    const top = y
    y += 2 * sizes.padding + lines * sizes.line
    const middle = (top + y) / 2
    const put = (exit: Exit | undefined) => {
      if (exit) exits.push({ exit, y: y + sizes.item / 2 })
      y += sizes.item
    }
    for (const { exit, paths } of own.items) {
      put(exit)
      for (const path of paths) put(path)
    }
    const hasItems = own.items.length > 0
    // What an A/B test cannot decide does not exist.
    const hasOtherwise = hasItems && own.own !== undefined && isTaken(own.own, block)
    if (hasOtherwise) put(own.own)
    else if (own.own && !hasItems) exits.push({ exit: own.own, y: middle })
    if (hasItems) y += sizes.padding / 2
    return { block, entry, exits: own, y: top, height: y - top, lines, hasOtherwise }
  })
  if (blocks.length === 0) y += sizes.empty
  return { height: y + sizes.foot, blocks, exits }
}

function isTaken(own: Exit, block: Block): boolean {
  return own.edgeId !== undefined || !listAt(block, "items").every(isShare)
}
