/** Records what happens in a run: logs, visited edges, changes of variables, answers, rows. */

import { cut } from "../../lib/cut.ts"
import { AppError } from "../../lib/errors.ts"
import { maxLogDetails, maxStateLength, readingUnits, spend } from "../budget/fuel.ts"
import type { Assignment } from "../calls.ts"
import type { Answer, Change, KeptVariable, ResultRecord } from "../records.ts"
import type { Log } from "../schema/log.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"
import { currentOf, type RunningBot } from "../session.ts"
import { freeId } from "../variables/variables.ts"
import { countPrinted } from "./budget.ts"
import { botOf, loadedBot, type Run, storeOf } from "./run.ts"
import { trailAnswer } from "./trail.ts"

/** Logs for the answer and for the result. */
export function addLogs(run: Run, logs: readonly Log[] | undefined): void {
  for (const log of logs ?? []) {
    const short = shortened(log)
    countPrinted(run, short)
    run.logs.push(short)
  }
}

/**
 * Stores a block's changes and records them for traces. 413 when one value exceeds the limit of a whole chat:
 * a loop that doubles it would exhaust memory.
 */
export function applyChanges(run: Run, blockId: string, assignments: readonly Assignment[]): void {
  const store = storeOf(run)
  const stored = store.set(assignments)
  for (const { variableId } of stored) {
    if (lengthOf(store.value(variableId)) <= maxStateLength) continue
    const name = store.definition(variableId)?.name ?? variableId
    throw new AppError(
      "CHAT_TOO_LARGE",
      `The variable "${cut(name)}" may hold ${maxStateLength} characters`,
      { data: { limit: maxStateLength, unit: "characters", blockId } },
    )
  }
  recordChanges(run, blockId, stored)
}

function lengthOf(value: VariableValue | undefined): number {
  if (typeof value === "string") return value.length
  return value?.reduce((sum, element) => sum + (element?.length ?? 0) + 1, 0) ?? 0
}

/** Records the values of variables that texts and conditions mention; for others only the change. */
export function recordChanges(run: Run, blockId: string, stored: readonly Assignment[]): void {
  const watched = botOf(run).watched
  const store = storeOf(run)
  for (const { variableId } of stored) {
    if (!watched.has(variableId)) {
      run.unnoted.push([blockId, variableId])
      continue
    }
    const value = store.value(variableId) ?? null
    // Every change is recorded with its value.
    spend(run.fuel, readingUnits(lengthOf(value)))
    const change: Change = isSessionVariable(run, variableId)
      ? { blockId, variableId, value: null, isHidden: true }
      : { blockId, variableId, value }
    recordOf(run)?.changes.push(change)
  }
}

function isSessionVariable(run: Run, variableId: string): boolean {
  const isNamed = currentOf(run.session).hidden?.includes(variableId)
  return isNamed || storeOf(run).definition(variableId)?.isSessionVariable === true
}

/** An edge that was taken off the default path. */
export function recordEdge(run: Run, edgeId: string): void {
  recordOf(run)?.edges.push(edgeId)
  if (currentOf(run.session).marking) recordMark(run, `edge-${edgeId}`)
}

/**
 * Records steps of a chat's path that analytics cannot derive from the flow, the answers and `edges`:
 *
 * | an edge's id | the edge was taken, though it is no block's default |
 * | `off-<block>` | the block was left neither by default nor along another edge of its own |
 * | `on-<block>` | the block had waited for the client and went on |
 * | `again-<block>` | the chat returned to the input: not a new question |
 * | `virtual-<group>`, `virtual-<group>-<block>` | the walk began there, led by a link or from outside |
 * | `skip-<block>` | the input was left without an answer |
 * | `off-start` | the result did not begin at the start |
 *
 * A mark from a flow other than the result's ends in `@<version>`; `edge-<edge>` and
 * `answer-<block>` then mark the recorded edges and answers that belong to that flow.
 */
export function recordMark(run: Run, mark: string): void {
  const { marking, version } = currentOf(run.session)
  recordOf(run)?.marks.push(marking ? `${mark}@${version}` : mark)
}

/** An accepted reply of the current bot. */
export function recordAnswer(run: Run, answer: Answer): void {
  const running = currentOf(run.session)
  if (run.trail) trailAnswer(run, answer)
  recordOf(run)?.answers.push({ index: running.counts.answers, ...answer })
  running.counts.answers += 1
  if (running.marking) recordMark(run, `answer-${answer.blockId}`)
}

/** Schedules the row of a result, with the current variables. Flags never return to false. */
export function recordRow(
  run: Run,
  running: RunningBot,
  { isCompleted }: { isCompleted: boolean },
): void {
  const record = recordOf(run, running)
  if (!record) return
  const hasStarted = running.answers.length > 0
  record.row = { variables: storedVariables(run, running), hasStarted, isCompleted }
  if (isCompleted) record.completed = { version: running.version, answers: running.answers }
}

/** This call's additions to a result; undefined in previews. */
export function recordOf(
  run: Run,
  running: RunningBot = currentOf(run.session),
): ResultRecord | undefined {
  const { resultId, version } = running
  if (resultId === undefined) return undefined
  spend(run.fuel, run.results.length)
  let record = run.results.find((each) => each.resultId === resultId)
  if (!record) {
    record = {
      resultId,
      version,
      answers: [],
      edges: [],
      marks: [],
      changes: [],
      step: running.counts.steps,
      logs: [],
    }
    run.results.push(record)
    running.counts.steps += 1
  }
  return record
}

/** The stored values of a bot, and of its parents while it shares their result. */
function storedVariables(run: Run, running: RunningBot): KeptVariable[] {
  const { queue } = run.session
  let child = running
  let kept = ownVariables(run, child)
  for (const parent of queue.slice(queue.indexOf(running) + 1)) {
    if (!child.isMerging) break
    kept = overParent(run, { parent, child }, kept)
    child = parent
  }
  return kept
}

function ownVariables(run: Run, running: RunningBot): KeptVariable[] {
  const store = storeOf(run, running)
  return store.entries().flatMap(([id, , isPlain]) => {
    const variable = store.definition(id)
    if (!variable || !isKept(running, variable)) return []
    return isPlain ? { ...variable, isPlain: true } : variable
  })
}

function isKept({ hidden }: RunningBot, { id, isSessionVariable }: Variable): boolean {
  return isSessionVariable !== true && !hidden?.includes(id)
}

/**
 * The stored values of both, as if the child had ended: its values overwrite the parent's variables of the
 * same name.
 */
function overParent(
  run: Run,
  { parent, child }: { parent: RunningBot; child: RunningBot },
  kept: readonly KeptVariable[],
): KeptVariable[] {
  const store = storeOf(run, parent)
  const own = ownVariables(run, parent)
  spend(run.fuel, own.length + kept.length)
  const { id: botId } = loadedBot(run, child)
  const names = new Set(kept.map(({ name }) => name))
  const merged = kept.flatMap((variable) => {
    const namesake = store.named(variable.name)
    if (!namesake) return { ...variable, id: freeId(store, variable.id, botId) }
    return isKept(parent, namesake) ? { ...variable, id: namesake.id } : []
  })
  return [...own.filter(({ name }) => !names.has(name)), ...merged]
}

function shortened(log: Log): Log {
  const { description, details = "" } = log
  if (description.length <= maxLogDetails && details.length <= maxLogDetails) return log
  return {
    ...log,
    description: cut(description, maxLogDetails),
    ...(log.details !== undefined && { details: shortDetails(details) }),
  }
}

function shortDetails(details: string): string {
  return details.length <= maxLogDetails ? details : `${details.slice(0, maxLogDetails)}...`
}
