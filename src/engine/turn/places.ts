/** Places of a flow, and what leads to them. */

import { cut } from "../../lib/cut.ts"
import type { Block } from "../blocks/registry.ts"
import { type Bot, blockAt, type Group, type Position } from "../bot.ts"
import type { Target } from "../session.ts"

/** The block that follows in the group, else the one that the block's own edge leads to. */
export function nextPosition(bot: Bot, here: Position): Position | undefined {
  const following = here.index + 1
  if (following < here.group.blocks.length) return { group: here.group, index: following }
  const found = alongEdge(bot, blockAt(here)?.outgoingEdgeId)
  return found && found.group.blocks.length > 0 ? found : undefined
}

/** Where an edge leads. Returns undefined when it is missing or leads nowhere. */
export function alongEdge(bot: Bot, edge: string | undefined): Position | undefined {
  return edge === undefined ? undefined : positionOf(bot, { edge })
}

/** Where a target is in a bot. Returns undefined when it does not exist. */
export function positionOf(bot: Bot, target: Target): Position | undefined {
  const found = locate(bot, target)
  return typeof found === "object" ? found : undefined
}

/** As `positionOf`, with what is missing; a block that is not in the group means its first. */
export function locate(bot: Bot, target: Target): Position | "no edge" | "no group" {
  const to = "edge" in target ? bot.edges.get(target.edge)?.to : target
  if (!to) return "no edge"
  const group = bot.groups.get(to.groupId)
  if (!group) return "no group"
  const known = bot.positions.get(to.blockId ?? "")
  if (known?.group === group) return known
  const index = group.blocks.findIndex((block) => block.id === to.blockId)
  return { group, index: Math.max(index, 0) }
}

/** A block of a group, the first when none is named; undefined: the group has no such block. */
export function positionIn(group: Group, blockId: string | undefined): Position | undefined {
  const index = blockId === undefined ? 0 : group.blocks.findIndex(({ id }) => id === blockId)
  return index < 0 ? undefined : { group, index }
}

/** The block in words, for logs that authors read. */
export function placeName({ group }: Position, { type, id }: Block): string {
  return `${type} block ${id} in group "${cut(group.title)}"`
}

/** The name under which a way without an edge is recorded. */
export function virtualName(groupId: string, blockId?: string): string {
  return `virtual-${groupId}${blockId === undefined ? "" : `-${blockId}`}`
}
