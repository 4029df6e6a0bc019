/** Caps the cost and the output of a run. */

import { cut } from "../../lib/cut.ts"
import { type AppError, tooExpensive } from "../../lib/errors.ts"
import { maxCallLength, maxPrinted, measure, OutOfFuel, spend } from "../budget/fuel.ts"
import type { Call } from "../calls.ts"
import { botOf, type Run } from "./run.ts"

/** Runs the work of one call. 422 that names the block when the budget runs out. */
export function withinBudget<Result>(run: Run, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof OutOfFuel || isOutsized(error) ? refusal(run, workTooLong) : error
  }
}

/** A value nested deeper than the stack, or a text or list longer than V8 allows (its messages). */
function isOutsized(error: unknown): boolean {
  return error instanceof RangeError && /call stack|string length|array length/.test(error.message)
}

const workTooLong =
  "needs more work than one call may take. Look there for a loop without an input, a long list or " +
  "a long text"

/** Counts output for the caller. 422 when it exceeds `maxPrinted`. */
export function countPrinted(run: Run, value: object | undefined): void {
  if (value === undefined) return
  run.continuation.printed += measure(value, run.fuel)
  if (run.continuation.printed <= maxPrinted) return
  throw refusal(run, `prints more than ${maxPrinted} characters in one answer`)
}

/** The cost of handing a call to the outside world and reopening the turn with its outcome. */
const callUnits = 1_000

/** Refuses a call that is too large to hold in memory beside others. */
export function checkCall(run: Run, call: Call): void {
  spend(run.fuel, callUnits)
  const length = measure(call, run.fuel)
  if (length <= maxCallLength || call.kind === "script") return
  throw refusal(run, `sends more than ${maxCallLength} characters in one request`)
}

function refusal(run: Run, excess: string): AppError {
  const { blockId } = run.continuation
  return tooExpensive(`The flow ${excess}. It was stopped at ${placeOf(run, blockId)}.`, blockId)
}

function placeOf(run: Run, blockId: string | undefined): string {
  const position = blockId === undefined ? undefined : botOf(run).positions.get(blockId)
  const block = position?.group.blocks[position.index]
  if (!position || !block) return "its theme or settings"
  const { group, index } = position
  return `group "${cut(group.title)}" › block ${index + 1} "${block.type}"`
}
