/** Answers streamed to a client while a block waits: the call to make, and the values to store. */

import { typeOf } from "../blocks/registry.ts"
import { blockAt } from "../bot.ts"
import { measure } from "../budget/fuel.ts"
import type { Call, Outcome, ScriptOutcome } from "../calls.ts"
import { currentOf, type Session } from "../session.ts"
import { contextOf, inlineCall, keepInline } from "./blockContext.ts"
import { checkCall, withinBudget } from "./budget.ts"
import { addLogs, applyChanges, recordOf, recordRow } from "./recording.ts"
import { botOf, closeRun, type EngineDeps, openRun, type Run, type Turn } from "./run.ts"

/** The next call: inline code of the block, or the question itself. */
export type StreamAsk = { inline: Call<"script"> } | { question: Call }

/**
 * The next call of the waiting block; undefined when it does not stream. `results`: outcomes of its inline
 * code.
 */
export function streamAsk(
  deps: EngineDeps,
  session: Session,
  results?: readonly ScriptOutcome[],
): StreamAsk | undefined {
  const opened = openWaitingBlock(deps, session, results)
  if (!opened) return undefined
  const { run, block, type } = opened
  return withinBudget(run, () => {
    const inline = inlineCall(run, [block])
    if (inline) return { inline }
    const question = type.stream?.(block, contextOf(run))
    if (question) checkCall(run, question)
    return question && { question }
  })
}

/** Stores values that came with a streamed answer, and makes the record that its call belongs to; undefined: neither. */
export function keepStreamed(
  deps: EngineDeps,
  session: Session,
  { outcome, results }: { outcome: Outcome; results?: readonly ScriptOutcome[] | undefined },
): Turn | undefined {
  const opened = openWaitingBlock(deps, session, results)
  return opened && withinBudget(opened.run, () => keep(opened, outcome))
}

function keep({ run, block, type }: StreamingBlock, outcome: Outcome): Turn | undefined {
  measure(outcome, run.fuel)
  const kept = type.streamed?.(block, outcome, contextOf(run))
  const { set = [], log = [] } = kept ?? {}
  const record = recordOf(run)
  if (!record && set.length === 0 && log.length === 0) return undefined
  applyChanges(run, block.id, set)
  addLogs(run, log)
  if (set.length > 0) recordRow(run, currentOf(run.session), { isCompleted: false })
  record?.logs.push(...run.logs)
  // The chat goes on waiting at this block.
  run.isWaiting = true
  return closeRun(run)
}

type StreamingBlock = NonNullable<ReturnType<typeof openWaitingBlock>>

/** The waiting block, if it streams. */
function openWaitingBlock(
  deps: EngineDeps,
  session: Session,
  results: readonly ScriptOutcome[] | undefined,
) {
  if (session.at === undefined) return undefined
  const run: Run = openRun(deps, session)
  const block = blockAt(botOf(run).positions.get(session.at))
  const type = block && typeOf(block)
  if (!block || type?.kind !== "action" || !type.stream) return undefined
  run.continuation.blockId = block.id
  if (results) keepInline(run, [block], results)
  return { run, block, type }
}
