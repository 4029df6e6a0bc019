/** Reads a conversation turn by turn, with the versions that name its blocks. */
import type { Db } from "../db/connection/openDatabase.ts"
import type { StoredResult } from "../db/results/listing.ts"
import { findResult } from "../db/results/results.ts"
import {
  findTurns,
  findVersionBefore,
  listBeside,
  measureTurns,
  type StoredTurns,
} from "../db/results/turns.ts"
import type { Snapshots } from "../effects/snapshots.ts"
import type { Bot } from "../engine/bot.ts"
import {
  linkedResults,
  type RecordedTurn,
  turnsOf,
  versionsIn,
} from "../engine/recorded/recordedTurn.ts"
import { AppError, notFound } from "../lib/errors.ts"
import { isUuid } from "../lib/ids.ts"
import { loadBots } from "./loadBots.ts"

/** A conversation with its bots. */
export type ReadChat = {
  result: StoredResult
  /** The chat's records in this result, in order. */
  own: StoredTurns
  turns: RecordedTurn[]
  /** The versions that are still there. */
  bots: ReadonlyMap<string, Bot>
}

/** Max linked bots with results of their own that are read. */
const maxLinked = 20

/** Max bytes of a conversation's turns, linked bots included. */
const maxBytes = 16_000_000

/** Blocks and lines of a conversation: each takes more in an answer than where it is stored. */
const maxPassed = 50_000

/** The 422 for a conversation that would take too much memory or work. */
export function conversationTooLong(): AppError {
  return new AppError("TRANSCRIPT_TOO_LONG", "The conversation is too long to read")
}

/** Reads a conversation, from a moment on (absent: all of it). Throws a 404 when the bot has no such result. */
export async function readChat(
  { db, chat }: { db: Db; chat: { snapshots: Snapshots } },
  { botId, resultId }: { botId: string; resultId: string },
  since?: Date,
): Promise<ReadChat> {
  const result = isUuid(resultId) ? await findResult(db, { botId, resultId }) : undefined
  if (result === undefined) throw notFound("Result")
  let left = maxBytes
  const read = async (id: string) => {
    left -= await measureTurns(db, id, since)
    if (left < 0) throw conversationTooLong()
    return await findTurns(db, id, since)
  }
  const own = await read(resultId)
  const named = linkedResults(own).filter(isUuid).slice(0, maxLinked)
  // Turns may name any result, but only those of the workspace are read.
  const linked = new Map<string, StoredTurns>()
  for (const id of await listBeside(db, { botId, resultIds: named })) linked.set(id, await read(id))
  const versionId = since && (await findVersionBefore(db, resultId, since))
  const begun = versionId === undefined ? result : { ...result, versionId }
  const turns = turnsOf(own, { begun, linked, hasRefused: true })
  if (turns.reduce((sum, { passed }) => sum + passed.length, 0) > maxPassed)
    throw conversationTooLong()
  const bots = await loadBots(chat.snapshots, versionsIn(turns))
  if (!bots) throw conversationTooLong()
  return { result, own, turns, bots }
}
