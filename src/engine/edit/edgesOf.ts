/** The edges that are removed with an element. */
import type { Group } from "../bot.ts"
import type { Edge } from "../schema/edge.ts"
import { edgeKeys } from "./edgeList.ts"
import type { WorkingDraft } from "./workingDraft.ts"

/** The edges that leave a group or its blocks, and those that lead there. */
export function edgesOfGroup({ edges }: WorkingDraft, { id, blocks }: Group): Edge[] {
  const inside = new Set(blocks.map((block) => block.id))
  const exits = blocks.map((block) => edgeKeys.from({ blockId: block.id }))
  return edges
    .near([edgeKeys.toGroup(id), ...exits])
    .filter(({ from, to }) => to.groupId === id || (isOfBlock(from) && inside.has(from.blockId)))
}

/** The edges that leave a block of a group, and those that lead to it. */
export function edgesOfBlock({ edges }: WorkingDraft, { id }: Group, blockId: string): Edge[] {
  return edges
    .near([edgeKeys.from({ blockId }), edgeKeys.toBlock(blockId)])
    .filter(
      ({ from, to }) =>
        (isOfBlock(from) && from.blockId === blockId) ||
        (to.blockId === blockId && to.groupId === id),
    )
}

export function edgesTo({ edges }: WorkingDraft, groupId: string, blockId: string): Edge[] {
  return edges
    .near([edgeKeys.toBlock(blockId)])
    .filter(({ to }) => to.blockId === blockId && to.groupId === groupId)
}

export function edgesOfEvent({ edges }: WorkingDraft, eventId: string): Edge[] {
  return edges.near([edgeKeys.from({ eventId })]).filter(({ from }) => from.eventId === eventId)
}

function isOfBlock(from: Edge["from"]): from is Edge["from"] & { blockId: string } {
  return from.eventId === undefined && from.blockId !== undefined
}
