/** Reads a conversation turn by turn, with the bots that it went through. */
import type { Snapshot } from "../../db/chats/snapshots.ts"
import type { StoredResult } from "../../db/results/listing.ts"
import { findResult } from "../../db/results/results.ts"
import {
  findTracedSince,
  findTurns,
  listBeside,
  measureTurns,
  type StoredTurns,
} from "../../db/results/turns.ts"
import type { Bot } from "../../engine/bot.ts"
import {
  type RecordedChat,
  type RecordedTurn,
  versionsIn,
} from "../../engine/recorded/recordedTurn.ts"
import type { Change } from "../../engine/records.ts"
import { AppError, notFound } from "../../errors.ts"
import { isUuid } from "../../ids.ts"
import type { Context } from "../context.ts"

/** A turn with the lines that it added to the log. */
type LoggedTurn = RecordedTurn & { logs: StoredTurns["logs"] }

/** A conversation as it was read. */
export type ReadChat = Omit<RecordedChat, "turns"> & {
  result: StoredResult
  /** What the chat has recorded in this result, in order. */
  own: StoredTurns
  turns: LoggedTurn[]
  /** Whether the way of every turn was kept. */
  isTraced: boolean
  /** The versions that are still there. */
  bots: ReadonlyMap<string, Bot>
}

/** Linked bots whose results of their own are looked at. */
const mostLinked = 20

/** All that the turns of a conversation, and of its linked bots, may have left. */
const mostBytes = 16_000_000

/** The 422 for a conversation that would take too much memory or work. */
export function tooLongToTell(): AppError {
  return new AppError("UNPROCESSABLE_CONTENT", "The conversation is too long to be told")
}

/** Reads a conversation. Throws a 404 when the bot has no such result. */
export async function readChat(
  { db, chat }: Pick<Context, "db" | "chat">,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<ReadChat> {
  const result = isUuid(resultId) ? await findResult(db, { botId, resultId }) : undefined
  if (result === undefined) throw notFound("Result")
  let left = mostBytes
  const read = async (id: string) => {
    left -= await measureTurns(db, id)
    if (left < 0) throw tooLongToTell()
    return await findTurns(db, id)
  }
  const own = await read(resultId)
  const parts: Part[] = [{ stored: own }]
  // What a way names is read of the workspace alone.
  const linked = await listBeside(db, { botId, resultIds: linkedResults(own) })
  for (const id of linked) parts.push({ resultId: id, stored: await read(id) })
  const turns = turnsOf(parts, result.createdAt)
  const { versionId: version } = result
  const bots = new Map<string, Bot>()
  for (const id of versionsIn({ version, turns })) {
    const snapshot: Snapshot | undefined = isUuid(id) ? await chat.snapshots.load(id) : undefined
    if (snapshot) bots.set(id, snapshot.bot)
  }
  const isTraced = result.createdAt >= (await findTracedSince(db))
  return { result, own, version, turns, isTraced, bots }
}

function linkedResults({ steps }: StoredTurns): string[] {
  const ids = steps.flatMap(({ trace }) =>
    (trace?.path ?? []).flatMap((part) => (typeof part === "object" ? (part.r ?? []) : [])),
  )
  return [...new Set(ids)].filter(isUuid).slice(0, mostLinked)
}

/** The rows of a result; its id is absent for that of the conversation. */
type Part = { resultId?: string; stored: StoredTurns }

/**
 * Rows of one turn are those of one moment: they were written by one statement. The first turn made
 * the result, and may have left nothing else.
 */
function turnsOf(parts: readonly Part[], startedAt: Date): LoggedTurn[] {
  const turns = new Map<number, LoggedTurn & { answers: RecordedTurn["answers"][number][] }>()
  const turnAt = (time: Date) => {
    const at = time.getTime()
    const turn = turns.get(at) ?? { at, answers: [], changes: [], logs: [] }
    turns.set(at, turn)
    return turn
  }
  turnAt(startedAt)
  for (const { resultId, stored } of parts) {
    const { answers, steps, logs } = stored
    for (const { createdAt, setVariables, trace } of steps) {
      const turn = turnAt(createdAt)
      // Written by turns alone, in this form.
      const changes = (setVariables ?? []) as Change[]
      turn.changes = [...turn.changes, ...changes.map((change) => ({ ...change, resultId }))]
      if (resultId === undefined) turn.trace = trace ?? undefined
    }
    for (const { createdAt, blockId, content, attachedFileUrls } of answers) {
      const answer = { blockId, content, attachedFileUrls: attachedFileUrls ?? undefined, resultId }
      turnAt(createdAt).answers.push(answer)
    }
    // What clients tell comes between turns.
    for (const log of logs) turns.get(log.createdAt.getTime())?.logs.push(log)
  }
  return [...turns.values()].toSorted((a, b) => a.at - b.at)
}
