/** Reads recorded conversations, a page at a time with shared statements. */
import type { Db } from "../db/connection/openDatabase.ts"
import type { ResultFilter, StoredResult } from "../db/results/listing.ts"
import { findTurnsOf, listBeside, measureTurnsOf } from "../db/results/turns.ts"
import { linkedResults, type RecordedTurn, turnsOf } from "../engine/recorded/recordedTurn.ts"
import type { KeptVariable } from "../engine/records.ts"
import { isUuid } from "../lib/ids.ts"
import { readResultPage } from "./listResults.ts"
import type { RecordedChat } from "./replay/recordedChat.ts"

/** A recorded conversation; without turns that would take too much memory. */
type ReadChat = Omit<RecordedChat, "turns"> & { turns: RecordedTurn[] | undefined }

/** About how many bytes the turns of a page, and of one conversation, take in memory. */
const maxBytes = { page: 8_000_000, chat: 1_000_000 }

/** Max linked bots with results of their own read per conversation. */
const maxLinked = 20

/** Reads a page of answered conversations, newest first. */
export async function readRecordedChats(
  db: Db,
  filter: ResultFilter,
  bounds: { startAt: string | undefined; limit: number },
): Promise<{ chats: ReadChat[]; next: string | undefined }> {
  const page = await readResultPage(db, filter, { ...bounds, most: maxBytes.page })
  const resultIds = page.results.map(({ resultId }) => resultId)
  const sizes = await measureTurnsOf(db, resultIds)
  let left = maxBytes.page
  const end = page.results.findIndex(({ resultId }, place) => {
    const bytes = sizes.get(resultId) ?? 0
    if (bytes <= maxBytes.chat) left -= bytes
    return left < 0 && place > 0
  })
  const results = end < 0 ? page.results : page.results.slice(0, end)
  const isRead = ({ resultId }: StoredResult) => (sizes.get(resultId) ?? 0) <= maxBytes.chat
  const turns = await readTurns(db, filter.botId, results.filter(isRead))
  const chats = results.map(({ resultId, versionId: version, variables }) => ({
    resultId,
    version,
    turns: turns.get(resultId),
    // Written by turns alone, in this form.
    variables: variables as KeptVariable[],
  }))
  return { chats, next: page.results[results.length]?.resultId ?? page.next }
}

async function readTurns(db: Db, botId: string, results: readonly StoredResult[]) {
  const resultIds = results.map(({ resultId }) => resultId)
  const own = await findTurnsOf(db, resultIds)
  const linkedOf = new Map(
    [...own].map(([id, rows]) => [id, linkedResults(rows).filter(isUuid).slice(0, maxLinked)]),
  )
  const linked = await readLinked(db, botId, [...linkedOf.values()].flat())
  return new Map(
    results.map(({ resultId, versionId, createdAt }) => {
      const rows = own.get(resultId) ?? { answers: [], steps: [] }
      const named = (linkedOf.get(resultId) ?? []).flatMap((id) => {
        const found = linked.get(id)
        return found ? [[id, found] as const] : []
      })
      const besides = { begun: { versionId, createdAt }, linked: new Map(named) }
      return [resultId, turnsOf(rows, besides)]
    }),
  )
}

/** The rows of linked bots: turns may name any result, but only those of the workspace are read. */
async function readLinked(db: Db, botId: string, resultIds: readonly string[]) {
  if (resultIds.length === 0) return new Map()
  const found = await listBeside(db, { botId, resultIds: [...new Set(resultIds)] })
  const sizes = await measureTurnsOf(db, found)
  let left = maxBytes.page
  const read = found.filter((id) => {
    left -= sizes.get(id) ?? 0
    return left >= 0
  })
  return await findTurnsOf(db, read)
}
