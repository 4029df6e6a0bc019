/** Deletes recorded conversations for good: by age, and with their bots. */

import { daysInBin } from "../db/bots/bin.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { listBotIds } from "../db/results/erasure.ts"
import {
  deleteResults,
  deleteResultsIn,
  findFirstResultFrom,
  listArchivedBots,
  listBinned,
  listDeletedBots,
  listOrphans,
  listResultsIn,
  purgeArchivedBots,
} from "../db/results/purge.ts"
import type { ResultRange } from "../db/results/resultAddress.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { batchSize, drain, forEachOf } from "../lib/batches.ts"
import { firstUuidAt, timeOfUuid } from "../lib/ids.ts"
import { archiveResults, endChats } from "./archiveResults.ts"
import { deleteWithFiles, type ResultFiles } from "./deleteWithFiles.ts"

type Deps = { db: Db; files: ResultFiles & Pick<FileStore, "deleteBotFiles">; now(): number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const archivedMs = daysInBin * dayMs
const rangesAtOnce = 4
/** Longer than a day, after which the job runs again. */
const binnedMs = 2 * dayMs

/** Deletes conversations beyond the retention that the operator has set; absent: none. */
export async function purgeResults(
  { resultRetentionDays, ...deps }: Deps & { resultRetentionDays?: number | undefined },
  signal: AbortSignal,
): Promise<{ results: number }> {
  if (resultRetentionDays === undefined) return { results: 0 }
  let results = 0
  const hours = hoursBefore(deps.db, deps.now() - resultRetentionDays * dayMs)
  await forEachOf(hours, rangesAtOnce, async (range) => {
    const count = await purgeRange(deps, range, signal)
    results += count
  })
  return { results }
}

/**
 * The results from before a moment, in ranges of an hour, several of which are deleted at once. The
 * oldest come first, so that the next run resumes where one was cut short.
 */
async function* hoursBefore(db: Db, endMs: number): AsyncGenerator<ResultRange> {
  for (let startMs = 0; ; ) {
    const fromId = await findFirstResultFrom(db, firstUuidAt(startMs))
    if (fromId === undefined || timeOfUuid(fromId) >= endMs) return
    startMs = Math.min(timeOfUuid(fromId) + hourMs, endMs)
    yield { fromId, beforeId: firstUuidAt(startMs) }
  }
}

/** Returns the number of results that were deleted. */
async function purgeRange(
  { db, files }: Deps,
  { fromId, beforeId }: ResultRange,
  signal: AbortSignal,
): Promise<number> {
  let total = 0
  for (let start = fromId; ; ) {
    signal.throwIfAborted()
    const found = await listResultsIn(db, { fromId: start, beforeId })
    // What no longer fits begins the next batch.
    const next = found.length < batchSize ? undefined : found.pop()?.resultId
    if (found.length > 0) {
      const range = { fromId: start, beforeId: next ?? beforeId }
      await deleteWithFiles(files, found, () => deleteResultsIn(db, range))
    }
    total += found.length
    if (next === undefined) return total
    start = next
  }
}

/**
 * Deletes bots archived 30 days ago, records of bots that no longer exist, and records made since bots were
 * deleted for good. Ends running chats of bots in the bin.
 */
export async function purgeBots(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ bots: number; results: number }> {
  const { db, now, files } = deps
  const before = new Date(now() - archivedMs)
  const bots = await drain(signal, async () => {
    const botIds = await listArchivedBots(db, before)
    for (const botId of botIds) await files.deleteBotFiles(botId)
    return botIds.length === 0 ? 0 : await purgeArchivedBots(db, botIds)
  })
  // As `emptyDeleted`; moving a bot there may have failed before ending its chats.
  for (const botId of await listBinned(db, new Date(now() - binnedMs))) await endChats(db, botId)
  const emptied = await emptyDeleted(deps, signal)
  return { bots, results: emptied + (await purgeOrphans(deps, signal)) }
}

/** A chat starting while its bot was deleted is stored afterwards, and would continue. */
async function emptyDeleted({ db, files }: Deps, signal: AbortSignal): Promise<number> {
  let total = 0
  for (const { botId, workspaceId } of await listDeletedBots(db)) {
    signal.throwIfAborted()
    const workspaceBotIds = await listBotIds(db, workspaceId)
    total += await archiveResults({ db, files }, { botId, selection: "all", workspaceBotIds })
  }
  return total
}

/** Day by day, so that no statement has to scan everything. */
async function purgeOrphans({ db, now, files }: Deps, signal: AbortSignal): Promise<number> {
  const oldest = await findFirstResultFrom(db, firstUuidAt(0))
  if (oldest === undefined) return 0
  let total = 0
  for (let day = timeOfUuid(oldest); day <= now(); day += dayMs) {
    const range = { fromId: firstUuidAt(day), beforeId: firstUuidAt(day + dayMs) }
    total += await drain(signal, async () => {
      const orphans = await listOrphans(db, range)
      await deleteWithFiles(files, orphans, () => deleteResults(db, orphans))
      return orphans.length
    })
  }
  return total
}
