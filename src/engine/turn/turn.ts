/** The entry points of the engine: register, start, reply, and resume after a call. */
import { AppError } from "../../lib/errors.ts"
import { type Block, typeOf } from "../blocks/registry.ts"
import type { Bot, Position } from "../bot.ts"
import { measure, spend, textUnits } from "../budget/fuel.ts"
import { type Assignment, type Call, isFailure, type Outcome } from "../calls.ts"
import type { Message } from "../schema/message.ts"
import { currentOf, type Session } from "../session.ts"
import { appearanceParts, dynamicThemeOf, settingsOf, themeOf } from "./appearance.ts"
import { ask, replyParts } from "./ask.ts"
import { contextOf, keepInline } from "./blockContext.ts"
import { countPrinted, withinBudget } from "./budget.ts"
import { answer, judge } from "./judgeReply.ts"
import { leaveBot } from "./links.ts"
import { alongEdge } from "./places.ts"
import { addLogs, recordMark } from "./recording.ts"
import {
  botOf,
  closeRun,
  type EngineDeps,
  type OpeningRule,
  openRun,
  type Run,
  reopenRun,
  type Turn,
} from "./run.ts"
import { finish } from "./settle.ts"
import { ensureShown } from "./showing.ts"
import { placeOf, receive, takeMessage } from "./takeMessage.ts"
import { trailCode } from "./trail.ts"
import { applyStep, goOn, visit, walk } from "./walk.ts"

/** Options of a start: its first message, and where in the flow to begin. */
export type StartRequest = {
  /** Answers the first input if it is open and nothing was shown before it; else `openingRule` decides. */
  opening?: Message | undefined
  /** Absent: answers no other input. */
  openingRule?: OpeningRule | undefined
  /** Absent: the start of the flow. An unknown place is refused with 400. */
  from?:
    | { type: "group"; groupId: string }
    | { type: "block"; blockId: string }
    | { type: "event"; eventId: string }
    | undefined
}

/** Registers a chat: returns its appearance without running anything. */
export function register(deps: EngineDeps, session: Session): Turn {
  const run = openRun(deps, session)
  run.session.step = session.step
  return withinBudget(run, () => {
    run.appearance = { theme: themeOf(run), settings: settingsOf(run) }
    run.dynamicTheme = dynamicThemeOf(run)
    countPrinted(run, run.appearance)
    countPrinted(run, run.dynamicTheme)
    return closeRun(run)
  })
}

/** Starts a chat. */
export function start(deps: EngineDeps, session: Session, request: StartRequest = {}): Turn {
  const run = openRun(deps, session)
  return withinBudget(run, () => {
    run.appearance = { theme: themeOf(run), settings: {} }
    run.continuation.opening = request.opening
    run.continuation.openingRule = request.openingRule
    recordStart(run)
    walk(run, startOf(botOf(run), request.from))
    return finish(run)
  })
}

/** Continues a chat; without a message it proceeds without an answer. */
export function reply(deps: EngineDeps, session: Session, message: Message | undefined): Turn {
  const run = openRun(deps, session)
  return withinBudget(run, () => {
    if (session.at === undefined) {
      resetSession(run)
      run.continuation.opening = message
      recordStart(run)
      walk(run, startOf(botOf(run)))
    } else takeMessage(run, message)
    return finish(run)
  })
}

/** Continues a turn with the outcome of its call. */
export function resume(deps: EngineDeps, turn: Turn, outcome: Outcome): Turn {
  const run = reopenRun(deps, turn)
  const { call } = run
  if (!call) throw new Error("A turn without a call cannot be resumed")
  run.call = undefined
  return withinBudget(run, () => {
    // The whole outcome will be parsed, searched or stored.
    spend(run.fuel, textUnits(measure(outcome, run.fuel)))
    if (run.continuation.phase === "settle") keepAppearance(run, outcome)
    else goOnAfter(run, call, outcome)
    return finish(run)
  })
}

/** Continues after a call of an action from its record alone: the variables that the block set. */
export function resumeRecorded(deps: EngineDeps, turn: Turn, set: Assignment[]): Turn {
  const run = reopenRun(deps, turn)
  run.call = undefined
  run.continuation.inline = undefined
  return withinBudget(run, () => {
    const { here } = placeOf(run, run.continuation.blockId ?? "")
    walk(run, here, applyStep(run, here, { set }))
    return finish(run)
  })
}

function goOnAfter(run: Run, call: Call, outcome: Outcome): void {
  const { here, block } = placeOf(run, run.continuation.blockId ?? "")
  const { message, isReturned, phase } = run.continuation
  if (phase === "visit") {
    keepInlineResults(run, [block], outcome)
    walk(run, here, visit(run, here))
  } else if (phase === "recall") {
    recall(run, outcome)
    walk(run, here, visit(run, here))
  } else if (phase === "visited") {
    const result = visited(run, here, block, { call, outcome })
    // The next block evaluates its own code: the answer may have changed variables.
    if (!run.call) run.continuation.inline = undefined
    walk(run, here, result)
  } else if (phase === "receive") {
    keepInlineResults(run, [block], outcome)
    goOn(run, here, receive(run, block, message))
  } else if (phase === "reply") {
    keepInlineResults(run, replyParts(run, block), outcome)
    goOn(run, here, answer(run, here, { message, isReturned }))
  } else {
    const type = typeOf(block)
    const judged = type.kind === "input" ? type.replied?.[call.kind] : undefined
    goOn(run, here, judge(run, here, judged?.(block, outcome, contextOf(run)) ?? "retry"))
  }
}

function visited(
  run: Run,
  here: Position,
  block: Block,
  { call, outcome }: { call: Call; outcome: Outcome },
) {
  const type = typeOf(block)
  const context = contextOf(run)
  if (type.kind === "input") {
    return ask(run, block, type.asked?.[call.kind]?.(block, outcome, context) ?? {})
  }
  if (type.kind !== "action") return "next"
  const step = type.resume?.[call.kind]?.(block, outcome, context) ?? {}
  if (call.kind === "inboundCall" && step.next !== "waitOn") recordMark(run, `on-${block.id}`)
  const firstLog = run.logs.length
  const result = applyStep(run, here, step)
  if (call.kind === "script") trailCode(run, firstLog)
  return result
}

function keepInlineResults(run: Run, parts: readonly object[], outcome: Outcome): void {
  const firstLog = run.logs.length
  if ("results" in outcome) keepInline(run, parts, outcome.results)
  // The theme is not a block.
  if (run.continuation.phase !== "settle") trailCode(run, firstLog)
}

/** An unreadable transcript counts as empty. */
function recall(run: Run, outcome: Outcome): void {
  run.continuation.past = "lines" in outcome ? outcome.lines : []
  if (isFailure(outcome)) addLogs(run, [{ description: "The past of the chat cannot be read" }])
}

function keepAppearance(run: Run, outcome: Outcome): void {
  keepInlineResults(run, appearanceParts(run), outcome)
  if (run.appearance) run.appearance.theme = themeOf(run)
}

/** A result has one start; any further one is recorded. */
function recordStart(run: Run): void {
  // Every start is recorded, even without content.
  ensureShown(run)
  const { startEdgeId } = botOf(run)
  const isFurther = run.session.isLater || run.session.step > 1
  if (isFurther && startEdgeId !== undefined) recordMark(run, startEdgeId)
}

/** A chat that was only registered, or ended in its first call, starts over with its variables. */
function resetSession(run: Run): void {
  // A linked bot may have ended the chat, at an edge whose group is missing.
  while (run.session.queue.length > 1) leaveBot(run)
  const root = currentOf(run.session)
  root.answers = []
  root.queued = []
  if (run.session.progress !== undefined) run.session.progress = 0
  run.session.mark = undefined
  run.session.runtimeOptions = undefined
}

/** The first position of a chat; undefined when the flow has none. */
function startOf(bot: Bot, from?: StartRequest["from"]): Position | undefined {
  if (from?.type === "group") {
    const group = bot.groups.get(from.groupId)
    if (!group) throw new AppError("PLACE_UNKNOWN", "Start group doesn't exist")
    return { group, index: 0 }
  }
  if (from?.type === "block") {
    const here = bot.positions.get(from.blockId)
    if (!here) throw new AppError("PLACE_UNKNOWN", "Start block doesn't exist")
    return here
  }
  if (from) {
    const event = bot.flow.events?.find((each) => each.id === from.eventId)
    if (!event) throw new AppError("PLACE_UNKNOWN", "Start event doesn't exist")
    return alongEdge(bot, event.outgoingEdgeId)
  }
  return alongEdge(bot, bot.startEdgeId)
}
