/** Ends a call: the opening message, the row of the result, progress and theme. */

import { typeOf } from "../blocks/registry.ts"
import type { Bot } from "../bot.ts"
import type { Message } from "../schema/message.ts"
import { currentOf, type RunningBot, type Target } from "../session.ts"
import { textOfMessage } from "../shown.ts"
import type { VariableStore } from "../variables/variables.ts"
import { type Ahead, aheadOf, countInputs } from "./ahead.ts"
import { appearanceParts, dynamicThemeOf, settingsOf } from "./appearance.ts"
import { inlineCall } from "./blockContext.ts"
import { countPrinted } from "./budget.ts"
import { positionOf } from "./places.ts"
import { recordOf, recordRow } from "./recording.ts"
import { closeRun, loadedBot, type Run, type Turn } from "./run.ts"
import { addStartProps } from "./startProps.ts"
import { pauseFor } from "./stepResult.ts"
import { placeOf, takeMessage } from "./takeMessage.ts"

/** Whether the chat has ended: no input, wait or call is open. */
export function isOver(turn: Turn): boolean {
  return turn.input === undefined && !turn.isWaiting
}

/** Closes the turn: complete, or paused at a call. */
export function finish(run: Run): Turn {
  if (!run.call) takeOpening(run)
  if (!run.call) askForAppearance(run)
  if (!run.call) settle(run)
  return closeRun(run)
}

/** Passes the opening message to the first input, if the rule allows it. */
function takeOpening(run: Run): void {
  const { opening } = run.continuation
  if (opening === undefined) return
  const way = openingWay(run, opening)
  run.continuation.opening = undefined
  run.isUnheard = way === undefined
  if (way === undefined) return
  if (way === "attempt") run.continuation.isTentative = true
  else run.input = undefined
  takeMessage(run, opening)
}

/** "attempt": leaves the question unchanged unless it accepts the message; undefined: dropped. */
function openingWay(run: Run, opening: Message): "reply" | "attempt" | undefined {
  const { openingRule } = run.continuation
  if (!run.input || openingRule === "never") return undefined
  const { block } = placeOf(run, run.session.at ?? "")
  const type = typeOf(block)
  if (type.kind !== "input") return undefined
  if (type.takesOpeningMessage && run.messages.length === 0) return "reply"
  if (!openingRule) return undefined
  if (opening.type === "command") return "reply"
  if (!type.takesOpeningMessage && !type.isChoice) return undefined
  if (openingRule === "always") return "reply"
  // Multiple choice searches the text, and a greeting may contain a label by chance.
  const isSearched = type.labels?.(block) !== undefined
  return isSearched || textOfMessage(opening).trim() === "" ? undefined : "attempt"
}

/** Requests inline code of theme and settings last, because it is rare. */
function askForAppearance(run: Run): void {
  const call = inlineCall(run, appearanceParts(run))
  if (call) pauseFor(run, call, "settle")
}

function settle(run: Run): void {
  run.continuation.blockId = undefined
  run.dynamicTheme = dynamicThemeOf(run)
  countPrinted(run, run.dynamicTheme)
  run.progress = progressOf(run)
  if (run.appearance) {
    // Ended by its start, the session is kept: the next message restarts the flow.
    if (isOver(run)) run.session.at = undefined
    run.appearance.settings = settingsOf(run)
    run.newFormat = undefined
    addStartProps(run)
    countPrinted(run, run.appearance)
  }
  settleResult(run)
  run.continuation = { spent: run.continuation.spent, printed: run.continuation.printed }
}

/** Schedules the row of the current bot's result if it may have changed. */
function settleResult(run: Run): void {
  const running = currentOf(run.session)
  const isCompleted = isOver(run) && running.answers.length > 0
  const hasChanged = isChanged(run.stores.get(running), running)
  const isNew = run.session.step === 1 || run.results.length > 0
  if (hasChanged || isNew || isCompleted) recordRow(run, running, { isCompleted })
  if (run.logs.length > 0) recordOf(run)?.logs.push(...run.logs)
}

/** Compares by identity, because lists are never changed in place. */
function isChanged(store: VariableStore | undefined, { values }: RunningBot): boolean {
  const present = store?.entries() ?? values
  return (
    present.length !== values.length ||
    present.some((entry, index) => entry.some((part, at) => part !== values[index]?.[at]))
  )
}

/** 0 to 100; undefined when no progress is shown or the chat only waits for the client. */
function progressOf(run: Run): number | undefined {
  const answered = run.session.progress
  if (answered === undefined) return undefined
  if (!run.input) return run.isWaiting ? undefined : 100
  let reachable = 0
  for (const sets of inputsAhead(run, run.input.id).values()) reachable += countInputs(sets)
  return ((answered + 1) / (reachable + answered + 1)) * 100
}

/** The inputs ahead of the waiting one and, where its paths may end, of queued paths and parents. */
function inputsAhead(run: Run, blockId: string): Map<Bot, Ahead[]> {
  const found = new Map<Bot, Ahead[]>()
  let next: Target | undefined
  for (const [index, running] of run.session.queue.entries()) {
    const bot = loadedBot(run, running)
    const from = index === 0 ? bot.positions.get(blockId) : next && positionOf(bot, next)
    const sets = found.get(bot) ?? []
    found.set(bot, sets)
    for (const place of [from, ...running.queued.map((target) => positionOf(bot, target))]) {
      const ahead = place && aheadOf(bot, place)
      if (ahead) sets.push(ahead)
      if (ahead?.ends === false) return found
    }
    next = running.resumesAt
  }
  return found
}
