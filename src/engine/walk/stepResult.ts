/** How a visit to a block ends. */
import type { Position } from "../bot.ts"
import { checkCall } from "../budget/budget.ts"
import type { Call } from "../calls.ts"
import type { Phase, Run } from "../run.ts"
import type { Exit } from "./navigate.ts"

/** On in the group, stopped for this call, out of the group, or on at another place. */
export type StepResult = "next" | "stop" | { leave: Exit | undefined } | { enter: Position }

/** The block's own edge, else the next block of the group. */
export function ownContinuation(block: { outgoingEdgeId?: string | undefined }): StepResult {
  const edge = block.outgoingEdgeId
  return edge === undefined ? "next" : { leave: { to: { edge }, isOffPath: false } }
}

/** Asks the world; the turn goes on at this block, in this phase. */
export function pauseFor(run: Run, call: Call, phase: Phase): "stop" {
  checkCall(run, call)
  run.call = call
  run.continuation.phase = phase
  run.continuation.carry = "carry" in call ? call.carry : undefined
  return "stop"
}

/** The chat waits at a block that is not an input: for the client or for a page. */
export function waitAt(run: Run, blockId: string): "stop" {
  run.session.at = blockId
  run.isWaiting = true
  return "stop"
}
