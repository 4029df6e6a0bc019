/** Results of a visit to a block. */
import type { BlockBase } from "../blocks/block.ts"
import type { Position } from "../bot.ts"
import type { Call } from "../calls.ts"
import { checkCall } from "./budget.ts"
import type { Exit } from "./navigate.ts"
import { alongEdge } from "./places.ts"
import { recordMark } from "./recording.ts"
import { botOf, type Phase, type Run } from "./run.ts"

/** The next block, a stop for this call, a way out of the group, or another place to continue at. */
export type StepResult = "next" | "stop" | { leave: Exit | undefined } | { enter: Position }

/** The block's own edge, else the next block of the group. */
export function ownContinuation(block: { outgoingEdgeId?: string | undefined }): StepResult {
  const edge = block.outgoingEdgeId
  return edge === undefined ? "next" : { leave: { to: { edge }, isOffPath: false } }
}

/** Makes a call; the turn resumes at this block, in this phase. */
export function pauseFor(run: Run, call: Call, phase: Phase): "stop" {
  checkCall(run, call)
  run.call = call
  run.continuation.phase = phase
  run.continuation.carry = "carry" in call ? call.carry : undefined
  return "stop"
}

/** The chat waits at a block that is not an input: for the client or for a page. */
export function waitAt(run: Run, blockId: string): "stop" {
  recordMark(run, `off-${blockId}`)
  return waitOn(run, blockId)
}

/** The chat keeps waiting at this block. */
export function waitOn(run: Run, blockId: string): "stop" {
  run.session.at = blockId
  run.isWaiting = true
  return "stop"
}

/** Leaves along an item's edge or the block's own; an edge without a target ends the path. */
export function leaveAlong(run: Run, block: BlockBase, edge: string): StepResult {
  const isOffPath = edge !== block.outgoingEdgeId
  const result = { leave: { to: { edge }, isOffPath } }
  const isLost = isOffPath && !alongEdge(botOf(run), edge)
  return isLost ? leaveOff(run, block, result) : result
}

/** Records that a block was not left by default. */
export function leaveOff(run: Run, block: BlockBase, result: StepResult): StepResult {
  if (result !== "next") recordMark(run, `off-${block.id}`)
  return result
}
