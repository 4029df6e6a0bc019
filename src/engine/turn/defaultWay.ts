/** The default way out of a block, which is not recorded. */

import { memoize } from "../../lib/memoize.ts"
import { typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, type Position } from "../bot.ts"
import { alongEdge } from "./places.ts"

/** Along the edge of the block, or to the next block of its group. */
export type DefaultWay = {
  /** Absent: no edge is followed. */
  edge?: string
  /** Absent: the path ends there. */
  to?: Position | undefined
}

/** The way out of a block that chooses no other. */
export function defaultWay(bot: Bot, here: Position): DefaultWay {
  const block = blockAt(here)
  const { blocks } = here.group
  const next = here.index + 1 < blocks.length ? { ...here, index: here.index + 1 } : undefined
  const edge = block?.outgoingEdgeId
  if (!block || edge === undefined) return { to: next }
  const type = typeOf(block)
  const passes =
    type.kind === "bubble" ? !type.waits?.(block) : type.kind === "action" && type.passes?.(block)
  return passes && next ? { to: next } : { edge, to: alongEdge(bot, edge) }
}

/**
 * Default edges that are recorded nevertheless: one per cycle of them without an input. The number of rounds
 * cannot be derived from other records.
 */
export const notedEdges = memoize((bot: Bot): ReadonlySet<string> => {
  const noted = new Set<string>()
  const walked = new Set<string>()
  for (const [start, place] of bot.positions) {
    const path = new Map<string, string | undefined>()
    let here: Position | undefined = place
    let id: string | undefined = start
    while (here && id !== undefined && !walked.has(id) && !isInput(here)) {
      walked.add(id)
      const way: DefaultWay = defaultWay(bot, here)
      path.set(id, way.edge)
      here = way.to
      id = blockAt(here)?.id
    }
    if (id === undefined || !path.has(id)) continue
    // The cycle starts at the revisited block and contains at least one edge.
    const ids = [...path.keys()]
    const edge = ids.slice(ids.indexOf(id)).flatMap((each) => path.get(each) ?? [])[0]
    if (edge !== undefined) noted.add(edge)
  }
  return noted
})

/** Whether the block at this place is an input. */
export function isInput(here: Position): boolean {
  const block = blockAt(here)
  return block !== undefined && typeOf(block).kind === "input"
}
