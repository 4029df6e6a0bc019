/** The trail of a traced turn: the blocks it passed, for authors who try a draft. */
import type { Block } from "../blocks/registry.ts"
import type { Answer } from "../records.ts"
import { currentOf } from "../session.ts"
import type { Run, TrailBlock } from "./run.ts"

/** Notes a new visit; a visit that starts over after a call is the same. */
export function trailVisit(run: Run, block: Block): void {
  const visit = run.visits.length
  if (run.trail?.at(-1)?.visit !== visit) follow(run, block, { visit })
}

/** Notes the block that receives the message, unless the turn has just reached it. */
export function trailReply(run: Run, block: Block): void {
  if (run.trail?.at(-1)?.blockId !== block.id) follow(run, block, {})
}

/** Notes the edge along which the last block was left. */
export function trailEdge(run: Run, edgeId: string): void {
  const last = run.trail?.at(-1)
  if (last) last.edgeId = edgeId
}

/** Notes the answer that the last block has accepted. */
export function trailAnswer(run: Run, answer: Answer): void {
  const last = run.trail?.at(-1)
  if (last) last.answer = answer
}

/** Notes that the last block ran code, and the first failure logged from this index on. */
export function trailCode(run: Run, firstLog: number): void {
  const last = run.trail?.at(-1)
  if (last) last.failure ||= run.logs[firstLog]?.description ?? ""
}

function follow(run: Run, { id: blockId }: Block, more: Pick<TrailBlock, "visit">): void {
  const { version } = currentOf(run.session)
  run.trail?.push({ blockId, version, at: run.deps.stopwatch?.() ?? 0, ...more })
}
