/** A turn as its result, and those of linked bots, have kept it. */
import type { Bot } from "../bot.ts"
import { type Fuel, spend } from "../budget/fuel.ts"
import { memoize } from "../memoize.ts"
import type { Answer, Change } from "../records.ts"
import type { Variable } from "../schema/variable.ts"
import { blocksByThemselves, blocksOf, type PassedBlock, type StoredTrace } from "./trace.ts"

/** The result of a linked bot that something belongs to; absent: that of the conversation. */
export type OfResult = { resultId?: string | undefined }

/** A turn that is over. */
export type RecordedTurn = {
  /** When it was stored, in milliseconds since 1970. */
  at: number
  trace?: StoredTrace | undefined
  /** In the order in which they were accepted, one result after the other. */
  answers: readonly (Answer & OfResult)[]
  /** Changes of variables whose values are noted. */
  changes: readonly (Change & OfResult)[]
}

/** A conversation that is over or goes on, by its turns. */
export type RecordedChat = {
  /** The version of the result. */
  version: string
  turns: readonly RecordedTurn[]
}

/** A turn with what its trace means. */
export type PassedTurn = RecordedTurn & {
  /** The version that the chat began with. */
  version: string
  /** Whether a chat begins that goes on with the result. */
  beginsAgain: boolean
  blocks: PassedBlock[]
}

/** A number in a trace stands for many blocks, all of which take memory. */
const passedUnits = 20

/** The turns with their ways, in order. */
export function passedTurns(
  { version, turns }: RecordedChat,
  { bots, fuel }: { bots: Bots; fuel: Fuel },
): PassedTurn[] {
  let root = version
  return turns.map((turn, index) => {
    root = turn.trace?.version ?? root
    const beginsAgain = turn.trace?.version !== undefined
    const isStart = index === 0 || beginsAgain
    const blocks = wayOf(turn, { root, isStart, bots })
    spend(fuel, passedUnits * (1 + blocks.length))
    return { ...turn, version: root, beginsAgain, blocks }
  })
}

type Bots = Parameters<typeof blocksOf>[2]

/** What comes by itself is not kept; without an answer it does so at the start alone. */
function wayOf(
  { trace, answers }: RecordedTurn,
  { root, isStart, bots }: { root: string; isStart: boolean; bots: Bots },
): PassedBlock[] {
  if (trace?.path) return blocksOf(trace.path, root, bots)
  const bot = bots.get(root)
  const answered = answers[0]?.blockId
  if (!bot || (answered === undefined ? !isStart : !bot.positions.has(answered))) return []
  return blocksByThemselves(bot, answered).map((blockId) => ({ blockId }))
}

/** The variables of a bot: a conversation may have thousands of turns, and a bot thousands of them. */
export const variablesById = memoize(
  ({ flow }: Bot): ReadonlyMap<string, Variable> =>
    new Map(flow.variables.map((variable) => [variable.id, variable])),
)

/** The versions that have to be loaded to read traces. */
export function versionsIn({ version, turns }: RecordedChat): string[] {
  const versions = new Set([version])
  for (const { trace } of turns) {
    if (trace?.version !== undefined) versions.add(trace.version)
    for (const part of trace?.path ?? []) if (typeof part === "object") versions.add(part.v)
  }
  return [...versions]
}
