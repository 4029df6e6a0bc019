/** Finds the next block: along an edge, out of a finished bot, or into a virtual place. */
import type { Position } from "../bot.ts"
import { currentOf, type Target } from "../session.ts"
import { notedEdges } from "./defaultWay.ts"
import { leaveBot } from "./links.ts"
import { locate, virtualName } from "./places.ts"
import { recordEdge, recordMark } from "./recording.ts"
import { botOf, type Run } from "./run.ts"
import { trailEdge } from "./trail.ts"

/** A way out of a block. `isResumed`: the parent of a finished bot continues, having left no block. */
export type Exit = { to: Target; isOffPath: boolean; isResumed?: boolean }

/** A way to a place without an edge of the flow; it counts as off the default path. */
export function virtualExit(groupId: string, blockId: string | undefined): Exit {
  return { to: { groupId, blockId }, isOffPath: true }
}

/**
 * The position that an exit leads to. Without an exit, or when its edge no longer exists: the next queued
 * path or the waiting parent bot; undefined: neither exists.
 */
export function follow(run: Run, exit: Exit | undefined): Position | undefined {
  let next = exit
  for (;;) {
    if (next) {
      const found = locate(botOf(run), next.to)
      if (found === "no group") return undefined
      if (found !== "no edge") {
        recordExit(run, next)
        return found
      }
    }
    const { queue } = run.session
    const queued = currentOf(run.session).queued.shift()
    if (queued && "groupId" in queued && queued.isAgain) {
      run.session.mark = queued.mark
      run.session.runtimeOptions = queued.runtimeOptions
    }
    if (!queued && queue.length === 1) return undefined
    const to = queued ?? leaveBot(run)
    next = to && { to, isOffPath: !("edge" in to), isResumed: true }
  }
}

function recordExit(run: Run, { to, isOffPath, isResumed }: Exit): void {
  if (run.trail && "edge" in to && !isResumed) trailEdge(run, to.edge)
  if (isOffPath) recordEdge(run, nameOf(to))
  else if ("edge" in to && (isResumed || notedEdges(botOf(run)).has(to.edge))) {
    recordMark(run, to.edge)
  }
  if ("groupId" in to && to.isAgain) recordMark(run, `again-${to.blockId}`)
}

function nameOf(target: Target): string {
  return "edge" in target ? target.edge : virtualName(target.groupId, target.blockId)
}
