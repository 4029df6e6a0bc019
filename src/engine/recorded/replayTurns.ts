/** Tells what a chat showed from the way that each of its turns took. */

import type { BlockContext } from "../blocks/block.ts"
import { answerVariable, type Block, typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, eventOf, type Position } from "../bot.ts"
import { blockUnits, judgingUnits, spend } from "../budget/fuel.ts"
import { cut } from "../cut.ts"
import type { BubbleContent } from "../payload.ts"
import { type Answer, type Change, groupChanges } from "../records.ts"
import type { ReplyEvent } from "../schema/event.ts"
import { type InlineResult, replayContext } from "../transcript.ts"
import { replyAssignments } from "../turn/events.ts"
import { alongEdge } from "../turn/places.ts"
import { initialValues, openVariables } from "../variables/variables.ts"
import { type OfResult, type PassedTurn, passedTurns, type RecordedChat } from "./recordedTurn.ts"
import {
  enter,
  type Inexactness,
  noteUnnoted,
  type Running,
  type Stage,
  type Telling,
} from "./stage.ts"
import type { PassedBlock } from "./trace.ts"

/** One line of a conversation. */
export type ConversationLine = {
  /** Milliseconds since 1970. */
  at: number
  from: "bot" | "person"
  /** Absent: the block is gone. */
  groupTitle?: string | undefined
  /** Absent: it was said while the chat was paused, and answers nothing. */
  blockId?: string
  type: BubbleContent["type"]
  text: string
  /** True: the chat was paused, and the bot did not hear it. */
  wasPaused?: true
}

/** The conversation, and why it may not be exact. */
export type Told = { lines: ConversationLine[]; inexact: Set<Inexactness> }

/** Tells a conversation whose turns have traces. */
export function replayTurns(chat: RecordedChat, telling: Telling): Told {
  const turns = passedTurns(chat, telling)
  const state: State = {
    telling,
    turns,
    lines: [],
    inexact: new Set(),
    stack: [],
    unnoted: new Set(),
    shown: new Set(),
  }
  for (const [index, turn] of turns.entries()) replayTurn(state, turn, index)
  return { lines: state.lines, inexact: state.inexact }
}

type State = Told &
  Stage & {
    turns: readonly PassedTurn[]
    /** Where the chat waits for a reply. */
    waiting?: { here: Position; running: Running } | undefined
    /** Where the last turn stopped. */
    last?: { running: Running; blockId: string } | undefined
    /** Answers whose lines are there before they were accepted. */
    shown: Set<Answer>
  }

/** What is left of a turn while it is told. */
type Turn = {
  at: number
  index: number
  answers: (Answer & OfResult)[]
  changes: Map<string, Change[][]>
}

function replayTurn(state: State, passed: PassedTurn, index: number): void {
  if (state.stack.length === 0 || passed.beginsAgain) begin(state, passed.version)
  if (passed.trace?.isCut) state.inexact.add("cut")
  if (passed.changes.some(({ isHidden }) => isHidden)) state.inexact.add("sessionVariable")
  const { at, blocks } = passed
  const changes = groupChanges(passed.changes, (change) => keyOf(change, change.blockId))
  const turn = { at, index, answers: [...passed.answers], changes }
  noteUnnoted(state, passed)
  takeReport(state, turn)
  if (state.waiting) takeReply(state, turn, blocks[0])
  for (const [place, block] of blocks.entries()) {
    const running = enter(state, block, passed.version)
    if (!running) {
      state.inexact.add("versionGone")
      continue
    }
    pass(state, turn, { running, blockId: block.blockId, isLast: place + 1 === blocks.length })
  }
}

function begin(state: State, version: string): void {
  const bot = state.telling.bots.get(version)
  if (!bot) {
    state.inexact.add("versionGone")
    return
  }
  const earlier = state.stack[0]?.store
  const own = new Map(initialValues(bot.flow.variables))
  const store = openVariables(bot.flow.variables, [...own], state.telling.fuel)
  for (const { id, name } of bot.flow.variables) {
    const value = own.has(id) ? undefined : earlier?.named(name)?.value
    if (value !== undefined) store.set([{ variableId: id, value }])
  }
  state.waiting = undefined
  state.last = undefined
  state.stack = [{ bot, version, store }]
}

/** What the block at which the last turn stopped made of what the client told. */
function takeReport({ last, waiting }: State, turn: Turn): void {
  const isReply = waiting !== undefined && turn.answers.length > 0
  if (last && !isReply) takeChanges(turn, last.running, last.blockId)
}

/** A reply to the waiting input; events may come before it is accepted. */
function takeReply(state: State, turn: Turn, first: PassedBlock | undefined): void {
  const { waiting } = state
  const block = waiting && blockAt(waiting.here)
  if (!waiting || !block || typeOf(block).kind !== "input") return
  const { here, running } = waiting
  const fired = first && eventBefore(running.bot, first.blockId)
  if (!fired) {
    if (isNext(turn, running, block.id)) accept(state, turn, waiting)
    return
  }
  const answer =
    fired.type === "reply"
      ? nextAnswer(state, turn, { bot: running.bot, blockId: block.id })
      : undefined
  if (answer) tell(state, turn, { ...waiting, answer })
  else state.inexact.add("replyLost")
  running.store.set(replyAssignments(fired, here, answer?.content ?? ""))
}

/** The event whose flow begins with that block. */
function eventBefore({ flow, ...bot }: Bot, blockId: string): ReplyEvent | undefined {
  return (["reply", "invalidReply"] as const)
    .map((type) => eventOf(flow, type))
    .find((event) => {
      const target = event && alongEdge({ flow, ...bot }, event.outgoingEdgeId)
      return target && blockAt(target)?.id === blockId
    })
}

/** The answer that a reply became once its event had run, perhaps turns later. */
function nextAnswer(
  { turns, telling }: State,
  { index }: Turn,
  { bot, blockId }: { bot: Bot; blockId: string },
): Answer | undefined {
  for (const { answers, blocks } of turns.slice(index)) {
    spend(telling.fuel, 1 + answers.length)
    const isLater = blocks !== turns[index]?.blocks
    // Another reply to the event takes the place of this one.
    if (isLater && blocks[0] && eventBefore(bot, blocks[0].blockId)) return undefined
    const found = answers.find((answer) => answer.blockId === blockId)
    if (found) return found
  }
  return undefined
}

/** Whether the next answer of the turn is one to that input. */
function isNext({ answers: [next] }: Turn, { resultId }: Running, blockId: string): boolean {
  return next?.blockId === blockId && next.resultId === resultId
}

/** Takes the next answer of the turn. */
function accept(state: State, turn: Turn, { here, running }: NonNullable<State["waiting"]>): void {
  const answer = turn.answers.shift()
  const block = blockAt(here)
  if (!answer || !block) return
  if (!state.shown.has(answer)) tell(state, turn, { here, running, answer })
  save(state, turn, { running, block, answer })
}

function tell(
  state: State,
  { at }: Turn,
  { here, answer }: { here: Position; running: Running; answer: Answer },
): void {
  const { blockId, content, attachedFileUrls = [] } = answer
  const text = [attachedFileUrls.join(", "), content].filter(Boolean).join("\n\n")
  state.shown.add(answer)
  const groupTitle = cut(here.group.title)
  state.lines.push({ at, from: "person", groupTitle, blockId, type: "text", text })
}

type Saving = { running: Running; block: Block; answer: Answer }

/** As the walk saves an answer: what the input sets itself, then its variable. */
function save(state: State, turn: Turn, { running, block, answer }: Saving): void {
  const { store } = running
  const type = typeOf(block)
  const { content, attachedFileUrls } = answer
  spend(state.telling.fuel, judgingUnits(content))
  const message = { type: "text", text: content, attachedFileUrls } as const
  const verdict =
    type.kind === "input" ? type.reply(block, message, contextOf(state, running)) : "retry"
  const accepted = typeof verdict === "object" && "accept" in verdict ? verdict : undefined
  if (accepted?.set) store.set(accepted.set)
  // The answer does not tell which button of a card was chosen.
  takeChanges(turn, running, block.id)
  const variableId = answerVariable(block)
  if (variableId === undefined || accepted?.isSavedElsewhere) return
  const present = store.value(variableId)
  store.set([{ variableId, value: Array.isArray(present) ? [...present, content] : content }])
}

function takeChanges(turn: Turn, running: Running, blockId: string): void {
  const changes = turn.changes.get(keyOf(running, blockId))?.shift()
  if (changes) running.store.set(changes)
}

type Visit = { running: Running; blockId: string; isLast: boolean }

function pass(state: State, turn: Turn, { running, blockId, isLast }: Visit): void {
  spend(state.telling.fuel, blockUnits)
  const here = running.bot.positions.get(blockId)
  const block = here && blockAt(here)
  const [first] = turn.changes.get(keyOf(running, blockId)) ?? []
  if (first?.some(({ isPrefilled }) => isPrefilled)) takeChanges(turn, running, blockId)
  const isInput = block !== undefined && typeOf(block).kind === "input"
  if (!isInput) takeChanges(turn, running, blockId)
  if (!here || !block) return
  const type = typeOf(block)
  state.last = { running, blockId }
  state.waiting = type.kind === "input" ? { here, running } : undefined
  if (type.kind === "bubble") {
    const content = type.show(block, contextOf(state, running))
    const text = content && textOf(content, type.transcribe?.(block, contextOf(state, running)))
    if (!content || !text) return
    const groupTitle = cut(here.group.title)
    state.lines.push({ at: turn.at, from: "bot", groupTitle, blockId, type: content.type, text })
  } else if (type.kind === "input" && isNext(turn, running, blockId)) {
    // The message of a start, or a reply whose event has returned.
    if (!isLast || turn.answers.length > 0) accept(state, turn, { here, running })
  }
}

function textOf(content: BubbleContent, line: { content: string } | undefined): string | undefined {
  if (content.type === "text") return line?.content
  return "url" in content.content ? content.content.url : undefined
}

function contextOf({ telling, inexact }: State, { bot, store }: Running): BlockContext {
  const { world, fuel } = telling
  const inline: InlineResult = (script) => {
    inexact.add("code")
    return telling.inline?.(script)
  }
  return replayContext({ bot, world, fuel, inline }, store)
}

/** Linked bots may have blocks of the same ids. */
function keyOf({ resultId = "" }: OfResult, blockId: string): string {
  return `${resultId} ${blockId}`
}
