/** Steers a chat from outside: sets its variables, moves it elsewhere, or reports silence. */

import { cut } from "../../lib/cut.ts"
import { AppError } from "../../lib/errors.ts"
import { blockAt, type Position } from "../bot.ts"
import type { Assignment } from "../calls.ts"
import { currentOf, type RunningBot, type Session } from "../session.ts"
import { withinBudget } from "./budget.ts"
import { fireIdle } from "./events.ts"
import { leaveBot } from "./links.ts"
import { positionIn, virtualName } from "./places.ts"
import { recordChanges, recordMark, recordRow } from "./recording.ts"
import {
  closeRun,
  type EngineDeps,
  loadedBot,
  openRun,
  type Run,
  storeOf,
  type Turn,
} from "./run.ts"
import { finish } from "./settle.ts"
import { walk } from "./walk.ts"

export type Steering = {
  /** Values by name, for every running bot that has such a variable. */
  variables?: Record<string, unknown> | undefined
  /** Where to continue; without a block, at the first of the group. */
  continueAt?: { groupId: string; blockId?: string | undefined } | undefined
}

/** Steers a chat. 400: unknown variable, group or block. */
export function steer(deps: EngineDeps, session: Session, steering: Steering): Turn {
  const { variables = {}, continueAt } = steering
  const run = openRun(deps, session)
  return withinBudget(run, () => {
    setVariables(run, variables)
    if (!continueAt) return waitOn(run, session)
    walk(run, enter(run, continueAt))
    return finish(run)
  })
}

/**
 * Reports that the user has been silent for this long. The flow of the idle event with that threshold
 * runs, then the pending input is asked again; without such an event nothing changes.
 */
export function fallSilent(deps: EngineDeps, session: Session, afterSeconds: number): Turn {
  const run = openRun(deps, session)
  return withinBudget(run, () => {
    const here = fireIdle(run, afterSeconds)
    if (!here) return waitOn(run, session)
    walk(run, here)
    return finish(run)
  })
}

/** Without a message, a wait for another system stays the same wait, identified by its step. */
function waitOn(run: Run, { step }: Session): Turn {
  run.session.step = step
  run.isWaiting = true
  return closeRun(run)
}

function setVariables(run: Run, variables: Record<string, unknown>): void {
  const { queue } = run.session
  const unknown = new Set(Object.keys(variables))
  // The running bot last, because it may share its result with its parents.
  for (const running of queue.toReversed()) {
    const store = storeOf(run, running)
    const given = Object.entries(variables).flatMap(([name, value]) => {
      const variable = store.named(name)
      if (variable) unknown.delete(name)
      return variable ? [{ variableId: variable.id, value }] : []
    })
    if (given.length === 0) continue
    const stored = store.set(given)
    noteSet(run, running, stored)
    recordRow(run, running, { isCompleted: false })
  }
  const [name] = unknown
  if (name !== undefined)
    throw new AppError("VARIABLE_UNKNOWN", `This chat has no variable "${cut(name)}"`, {
      data: { name: cut(name) },
    })
}

/** Records the assignments as the waiting block's; for parent bots without values. */
function noteSet(run: Run, running: RunningBot, stored: readonly Assignment[]): void {
  const { at = "" } = run.session
  if (running === currentOf(run.session)) recordChanges(run, at, stored)
  else for (const { variableId } of stored) run.unnoted.push([at, variableId])
}

/** Goes to a place in the nearest bot that has the group, leaving the linked bots before it. */
function enter(run: Run, to: NonNullable<Steering["continueAt"]>): Position {
  const { session } = run
  const depth = session.queue.findIndex((running) => loadedBot(run, running).groups.has(to.groupId))
  const owner = session.queue[depth]
  const group = owner && loadedBot(run, owner).groups.get(to.groupId)
  if (!owner || !group) {
    throw new AppError(
      "PLACE_UNKNOWN",
      `The version of the bot that this chat runs has no group "${cut(to.groupId)}"`,
    )
  }
  const place = positionIn(group, to.blockId)
  if (!place) {
    throw new AppError(
      "PLACE_UNKNOWN",
      `The group "${cut(group.title)}" has no block "${cut(to.blockId ?? "")}" in the version that this chat runs`,
    )
  }
  for (let left = 0; left < depth; left++) leaveBot(run, false)
  if (session.step === 1 && !session.isLater) recordMark(run, "off-start")
  recordMark(run, virtualName(to.groupId, to.blockId))
  // Asking an input again is not a new question.
  const target = blockAt(place)
  if (target && target.id === session.at) recordMark(run, `again-${target.id}`)
  currentOf(session).queued = []
  session.at = undefined
  session.mark = undefined
  session.runtimeOptions = undefined
  return place
}
