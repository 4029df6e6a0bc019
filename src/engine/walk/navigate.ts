/** Finds the next block: along an edge, out of a finished bot, or into a virtual place. */
import { type Bot, blockAt, type Position } from "../bot.ts"
import { botOf, type Run } from "../run.ts"
import { currentOf, type Target } from "../session.ts"
import { leaveBot } from "./links.ts"
import { recordEdge } from "./recording.ts"

/** A way out of a block. */
export type Exit = { to: Target; isOffPath: boolean }

/** A way to a place that no edge of the flow leads to; it counts as off the default path. */
export function virtualExit(groupId: string, blockId: string | undefined): Exit {
  return { to: { groupId, blockId }, isOffPath: true }
}

/**
 * The place that an exit leads to. Without an exit, or when its edge is gone, the walk goes on
 * where a queued path or a waiting parent bot wants it to; undefined: nowhere.
 */
export function follow(run: Run, exit: Exit | undefined): Position | undefined {
  let next = exit
  for (;;) {
    if (next) {
      const found = locate(botOf(run), next.to)
      if (found === "no group") return undefined
      if (found !== "no edge") {
        if (next.isOffPath) recordEdge(run, nameOf(next.to))
        return found
      }
    }
    const { queue } = run.session
    const queued = currentOf(run.session).queued.shift()
    if (!queued && queue.length === 1) return undefined
    const to = queued ?? leaveBot(run)
    next = to && { to, isOffPath: !("edge" in to) }
  }
}

/** The block that follows in the group, else the one that the block's own edge leads to. */
export function nextPosition(bot: Bot, here: Position): Position | undefined {
  const following = here.index + 1
  if (following < here.group.blocks.length) return { group: here.group, index: following }
  const found = alongEdge(bot, blockAt(here)?.outgoingEdgeId)
  return found && found.group.blocks.length > 0 ? found : undefined
}

/** Where an edge leads; undefined when there is none, or it leads nowhere. */
export function alongEdge(bot: Bot, edge: string | undefined): Position | undefined {
  return edge === undefined ? undefined : positionOf(bot, { edge })
}

/** Where a target lies in a bot; undefined when it lies nowhere. */
export function positionOf(bot: Bot, target: Target): Position | undefined {
  const found = locate(bot, target)
  return typeof found === "object" ? found : undefined
}

/** As `positionOf`, with what is missing; a block that is not in the group means its first. */
function locate(bot: Bot, target: Target): Position | "no edge" | "no group" {
  const to = "edge" in target ? bot.edges.get(target.edge)?.to : target
  if (!to) return "no edge"
  const group = bot.groups.get(to.groupId)
  if (!group) return "no group"
  const index = group.blocks.findIndex((block) => block.id === to.blockId)
  return { group, index: Math.max(index, 0) }
}

function nameOf(target: Target): string {
  if ("edge" in target) return target.edge
  return `virtual-${target.groupId}${target.blockId === undefined ? "" : `-${target.blockId}`}`
}
