/** Finds places of a flow. */

import { cut } from "../../lib/cut.ts"
import type { Block } from "../blocks/registry.ts"
import { type Bot, blockAt, type Group, type Position } from "../bot.ts"
import type { Target } from "../session.ts"

/** The next block of the group, else the target of the block's own edge. */
export function nextPosition(bot: Bot, here: Position): Position | undefined {
  const following = here.index + 1
  if (following < here.group.blocks.length) return { group: here.group, index: following }
  const found = alongEdge(bot, blockAt(here)?.outgoingEdgeId)
  return found && found.group.blocks.length > 0 ? found : undefined
}

/** The target of an edge; undefined when the edge or its target is missing. */
export function alongEdge(bot: Bot, edge: string | undefined): Position | undefined {
  return edge === undefined ? undefined : positionOf(bot, { edge })
}

/** The position of a target; undefined when it does not exist. */
export function positionOf(bot: Bot, target: Target): Position | undefined {
  const found = locate(bot, target)
  return typeof found === "object" ? found : undefined
}

/** Like `positionOf`, but names the missing part; an unknown block means the first of its group. */
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

/** A block of a group, by default the first; undefined: the group has no such block. */
export function positionIn(group: Group, blockId: string | undefined): Position | undefined {
  const index = blockId === undefined ? 0 : group.blocks.findIndex(({ id }) => id === blockId)
  return index < 0 ? undefined : { group, index }
}

/** Describes a block in logs for authors. */
export function placeName({ group }: Position, { type, id }: Block): string {
  return `${type} block ${id} in group "${cut(group.title)}"`
}

/** The name under which a way without an edge is recorded. */
export function virtualName(groupId: string, blockId?: string): string {
  return `virtual-${groupId}${blockId === undefined ? "" : `-${blockId}`}`
}
