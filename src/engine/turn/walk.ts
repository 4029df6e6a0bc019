/** Walks a flow block by block until an input asks or the flow ends. */

import type { Step } from "../blocks/block.ts"
import { type Block, type TypeOfKind, typeOf } from "../blocks/registry.ts"
import { blockAt, type Position } from "../bot.ts"
import { blockUnits, spend } from "../budget/fuel.ts"
import type { Call, CallKind } from "../calls.ts"
import type { Log } from "../schema/log.ts"
import { currentOf } from "../session.ts"
import { ask } from "./ask.ts"
import { contextOf, inlineCall } from "./blockContext.ts"
import { countPrinted } from "./budget.ts"
import { goBack, jump } from "./events.ts"
import { answer } from "./judgeReply.ts"
import { enterBot } from "./links.ts"
import { type Exit, follow } from "./navigate.ts"
import { placeName } from "./places.ts"
import { addLogs, applyChanges, recordChanges } from "./recording.ts"
import { type Run, storeOf } from "./run.ts"
import { noteShown, noteVisit } from "./showing.ts"
import {
  leaveAlong,
  leaveOff,
  ownContinuation,
  pauseFor,
  type StepResult,
  waitAt,
  waitOn,
} from "./stepResult.ts"
import { trailVisit } from "./trail.ts"

/** Walks from a place until the run stops or every path has ended. */
export function walk(run: Run, from: Position | undefined, first?: StepResult): void {
  run.hasWalked = true
  let here = from
  let result = first
  while (here) {
    here = walkGroup(run, here, result)
    result = undefined
  }
}

/** Continues after a block, unless the run stopped or the flow ends there. */
export function goOn(run: Run, here: Position, result: StepResult): void {
  const isLast = result === "next" && here.index + 1 >= here.group.blocks.length
  const { queue } = run.session
  const isEnd = isLast && queue.length === 1 && queue[0]?.queued.length === 0
  if (result !== "stop" && !isEnd) walk(run, here, result)
}

/** Walks one group from a block on. Returns where to continue; undefined: the walk is over. */
function walkGroup(run: Run, from: Position, first: StepResult | undefined): Position | undefined {
  const { blocks } = from.group
  let exit: Exit | undefined
  for (let index = from.index; index < blocks.length; index++) {
    const here = { group: from.group, index }
    const result = index === from.index && first !== undefined ? first : visit(run, here)
    if (result === "stop") return undefined
    if (result !== "next") return "enter" in result ? result.enter : follow(run, result.leave)
    const own = blocks[index]?.outgoingEdgeId
    exit = own === undefined ? undefined : { to: { edge: own }, isOffPath: false }
  }
  return follow(run, exit)
}

/** Runs one block. */
export function visit(run: Run, here: Position): StepResult {
  const block = blockAt(here)
  if (!block) return "next"
  run.continuation.blockId = block.id
  if (run.trail) trailVisit(run, block)
  spend(run.fuel, blockUnits)
  recordPrefilled(run, block)
  const call = inlineCall(run, [block])
  if (call) return pauseFor(run, call, "visit")
  const past = historyCall(run, block)
  if (past) return pauseFor(run, past, "recall")
  const result = execute(run, here, block)
  if (!run.call) run.continuation.inline = undefined
  return result
}

function execute(run: Run, here: Position, block: Block): StepResult {
  const type = typeOf(block)
  run.visits.push([block.type, block.id, run.deps.world.now()])
  const isSkipped = run.continuation.isNextBubbleSkipped === true
  run.continuation.isNextBubbleSkipped = false
  if (type.kind === "bubble") return show(run, block, type, isSkipped)
  noteVisit(run, block)
  if (type.kind === "action") return applyStep(run, here, type.run(block, contextOf(run)))
  const { mark } = run.session
  if (mark?.isCalled && mark.blockId === block.id) {
    run.session.mark = undefined
    return answer(run, here, { message: mark.reply, isReturned: true })
  }
  return ask(run, block, type.ask(block, contextOf(run)))
}

function show(run: Run, block: Block, type: TypeOfKind<"bubble">, isSkipped: boolean): StepResult {
  const content = type.show(block, contextOf(run))
  if (content) noteShown(run, block, type, content)
  else noteVisit(run, block)
  if (!content || isSkipped) return "next"
  countPrinted(run, content)
  run.messages.push({ id: block.id, ...content })
  if (type.waits?.(block)) return waitAt(run, block.id)
  run.continuation.lastBubbleId = block.id
  return "next"
}

/** Applies an action's step. */
export function applyStep(run: Run, here: Position, step: Step<CallKind>): StepResult {
  const block = blockAt(here)
  if (!block) return "next"
  if (step.hide) hide(run, step.hide)
  if (step.set) applyChanges(run, block.id, step.set)
  addLogs(run, step.log && placed(step.log, here, block))
  for (const content of step.say ?? []) {
    countPrinted(run, content)
    run.messages.push({ id: run.deps.world.newId(), ...content })
  }
  addActions(run, step)
  return leave(run, here, block, step)
}

function placed(logs: readonly Log[], here: Position, block: Block): Log[] {
  const place = placeName(here, block)
  return logs.map((log) => ({ ...log, place }))
}

function addActions(run: Run, step: Step<CallKind>): void {
  const { lastBubbleId } = run.continuation
  countPrinted(run, step.act)
  step.act?.forEach((action, index) => {
    const waits = step.next === "waitForClient" || step.next === "waitOn"
    const isAwaited = waits && index + 1 === step.act?.length
    run.actions.push({
      ...action,
      ...(lastBubbleId === undefined ? {} : { lastBubbleBlockId: lastBubbleId }),
      ...(isAwaited ? { expectsDedicatedReply: true } : {}),
    })
  })
}

function leave(run: Run, here: Position, block: Block, { next }: Step<CallKind>): StepResult {
  if (next === undefined) return ownContinuation(block)
  if (next === "pass") return "next"
  if (next === "end") return leaveOff(run, block, { leave: undefined })
  if (next === "back") return leaveOff(run, block, goBack(run))
  if (next === "waitForClient") return waitAt(run, block.id)
  if (next === "waitOn") return waitOn(run, block.id)
  if ("edge" in next) return leaveAlong(run, block, next.edge)
  if ("jump" in next) return leaveOff(run, block, jump(run, here, next.jump))
  if ("call" in next) return pauseFor(run, next.call, "visited")
  const entered = enterBot(run, here, next.enter)
  if (typeof entered !== "string") return { enter: entered }
  addLogs(run, [{ status: "error", description: "Failed to link to the bot", details: entered }])
  return ownContinuation(block)
}

function hide(run: Run, variableIds: readonly string[]): void {
  const running = currentOf(run.session)
  running.hidden = [...new Set([...(running.hidden ?? []), ...variableIds])]
}

/** Loads the transcript for a block that needs it; previews have it in the session. */
function historyCall({ session, continuation }: Run, block: Block): Call | undefined {
  const type = typeOf(block)
  if (type.kind !== "action" || !type.wantsHistory?.(block)) return undefined
  const resultId = session.queue.at(-1)?.resultId
  if (session.lines || continuation.past || resultId === undefined) return undefined
  return { kind: "history", resultId }
}

function recordPrefilled(run: Run, block: Block): void {
  const { prefilled } = run.session
  if (!prefilled) return
  run.session.prefilled = undefined
  const store = storeOf(run)
  const given = prefilled.map((variableId) => ({ variableId, value: store.value(variableId) }))
  recordChanges(run, block.id, given)
}
