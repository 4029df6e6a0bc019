/** The bots that a recorded chat went through, with their variables as they were. */
import type { BlockContext } from "../blocks/block.ts"
import { answerVariable, typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt } from "../bot.ts"
import type { Fuel } from "../budget/fuel.ts"
import type { InlineResult } from "../transcript.ts"
import { openVariables, type VariableStore } from "../variables/variables.ts"
import { type PassedTurn, variablesById } from "./recordedTurn.ts"
import type { PassedBlock } from "./trace.ts"

/** Why a conversation may have looked otherwise. */
export type Inexactness =
  /** It began before the ways of turns were kept. */
  | "untraced"
  /** A turn did more than is kept of it. */
  | "cut"
  /** A version that it ran is gone. */
  | "versionGone"
  /** A text holds code, which ran once more, or did not because it calls out. */
  | "code"
  /** A value that was not noted went from one bot to another. */
  | "linked"
  /** A value of a session variable, which results do not keep, is shown or decides. */
  | "sessionVariable"
  /** A reply was refused or never processed, and is not kept. */
  | "replyLost"
  /** Nobody answered, and values of such chats are deleted. */
  | "forgotten"

/** What a conversation is told with. */
export type Telling = {
  bots: { get(version: string): Bot | undefined }
  inline?: InlineResult | undefined
  world: BlockContext["world"]
  /** What the telling may cost; `OutOfFuel` is thrown beyond it. */
  fuel: Fuel
}

/** A bot that runs or waits for one that it links. */
export type Running = {
  bot: Bot
  version: string
  /** Absent: it records to the result of the conversation. */
  resultId?: string | undefined
  store: VariableStore
}

/** The bots on stage. */
export type Stage = {
  telling: Telling
  inexact: Set<Inexactness>
  /** The first bot first. */
  stack: Running[]
  /** Names of variables whose values are not noted. */
  unnoted: Set<string>
}

/** Remembers which variables a turn has set without noting their values. */
export function noteUnnoted(
  { telling, unnoted }: Stage,
  { trace, version, blocks }: PassedTurn,
): void {
  const versions = new Set([version, ...blocks.flatMap((block) => block.version ?? [])])
  const set = new Set(trace?.set)
  for (const { blockId, version: own = version } of blocks) {
    const bot = telling.bots.get(own)
    const here = bot?.positions.get(blockId)
    const block = here && blockAt(here)
    const id = block && typeOf(block).kind === "action" ? answerVariable(block) : undefined
    if (id !== undefined && !bot?.watched.has(id)) set.add(id)
  }
  for (const each of versions) {
    const bot = telling.bots.get(each)
    if (!bot) continue
    for (const id of set) {
      const definition = variablesById(bot).get(id)
      if (definition) unnoted.add(definition.name)
    }
  }
}

/** Whether a bot shows a value that another one may have set without a note. */
function watchLinked({ unnoted, inexact }: Stage, { watched, flow }: Bot): void {
  if (flow.variables.some(({ id, name }) => watched.has(id) && unnoted.has(name))) {
    inexact.add("linked")
  }
}

/** The bot of a block: the one that runs, one that it enters, or one that it returns to. */
export function enter(state: Stage, block: PassedBlock, rootVersion: string): Running | undefined {
  const { stack } = state
  const version = block.version ?? rootVersion
  const waiting = stack.findIndex(
    (running) => running.version === version && running.resultId === block.resultId,
  )
  if (waiting >= 0) {
    const parent = stack[waiting]
    if (parent && stack.length > waiting + 1) watchLinked(state, parent.bot)
    while (stack.length > waiting + 1) leave(stack)
    return parent
  }
  const bot = state.telling.bots.get(version)
  if (!bot) return undefined
  const store = openVariables(bot.flow.variables, [], state.telling.fuel)
  for (const { id, name } of bot.flow.variables) {
    const namesake = stack.toReversed().find((running) => running.store.named(name))
    const value = namesake?.store.named(name)?.value
    if (value !== undefined) store.set([{ variableId: id, value }])
  }
  watchLinked(state, bot)
  const running = { bot, version, store, resultId: block.resultId }
  stack.push(running)
  return running
}

/** A bot whose results are merged gives its values to the one that waits for it. */
function leave(stack: Running[]): void {
  const child = stack.pop()
  const parent = stack.at(-1)
  if (!child || !parent || child.resultId !== undefined) return
  for (const variable of child.store.list()) {
    const { name, value } = variable
    if (value === undefined || value === null) continue
    const own = parent.store.named(name)
    if (own) parent.store.set([{ variableId: own.id, value }])
    else parent.store.adopt(variable)
  }
}
