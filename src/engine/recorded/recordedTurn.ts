/** A turn as its result, and those of linked bots, have kept it. */
import type { Answer, Change } from "../records.ts"
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

/** The turns with their ways, in order. */
export function passedTurns(
  { version, turns }: RecordedChat,
  bots: Parameters<typeof blocksOf>[2],
): PassedTurn[] {
  let root = version
  return turns.map((turn) => {
    root = turn.trace?.version ?? root
    return {
      ...turn,
      version: root,
      beginsAgain: turn.trace?.version !== undefined,
      blocks: wayOf(turn, root, bots),
    }
  })
}

/** What comes by itself is not kept. */
function wayOf(
  { trace, answers }: RecordedTurn,
  root: string,
  bots: Parameters<typeof blocksOf>[2],
): PassedBlock[] {
  if (trace?.path) return blocksOf(trace.path, root, bots)
  const bot = bots.get(root)
  if (!bot || (answers.length > 0 && !bot.positions.has(answers[0]?.blockId ?? ""))) return []
  return blocksByThemselves(bot, answers[0]?.blockId).map((blockId) => ({ blockId }))
}

/** The versions that have to be loaded to read traces. */
export function versionsIn({ version, turns }: RecordedChat): string[] {
  const versions = new Set([version])
  for (const { trace } of turns) {
    if (trace?.version !== undefined) versions.add(trace.version)
    for (const part of trace?.path ?? []) if (typeof part === "object") versions.add(part.v)
  }
  return [...versions]
}
