/** Jobs that delete recorded conversations, and keys of them, for good: by age, and with their bots. */

import { deleteKeys, listKeyedIds, listUnused } from "../db/chats/conversations.ts"
import type { Db } from "../db/connection/open.ts"
import { voidDays } from "../db/results/countedDays.ts"
import {
  batchSize,
  deleteArchivedBots,
  deleteResults,
  deleteResultsIn,
  findFirstResultFrom,
  listArchivedBots,
  listOrphans,
  listResultsIn,
  type ResultOfBot,
  type ResultRange,
} from "../db/results/purge.ts"
import { firstUuidAt, timeOfUuid } from "../ids.ts"
import { dayMs, drain, forEachOf, type Job, type JobDeps } from "./job.ts"

const archivedBotDays = 30
const hourLengthMs = 3_600_000
const rangesAtOnce = 4
const filesAtOnce = 16

/** Conversations beyond the retention that the operator has set. */
export const purgeResultsJob: Job = {
  name: "purge_results",
  everySeconds: 6 * 3_600,
  async run(deps, signal) {
    const { db, now, resultRetentionDays } = deps
    if (resultRetentionDays === undefined) return { results: 0 }
    let results = 0
    const hours = hoursBefore(db, now() - resultRetentionDays * dayMs)
    await forEachOf(hours, rangesAtOnce, async (range) => {
      const count = await purgeRange(deps, range, signal)
      results += count
    })
    return { results }
  },
}

/**
 * The results from before a moment, in ranges of an hour, several of which are deleted at once. The
 * oldest come first, so that the next run resumes where one was cut short.
 */
async function* hoursBefore(db: Db, endMs: number): AsyncGenerator<ResultRange> {
  for (let startMs = 0; ; ) {
    const fromId = await findFirstResultFrom(db, firstUuidAt(startMs))
    if (fromId === undefined || timeOfUuid(fromId) >= endMs) return
    startMs = Math.min(timeOfUuid(fromId) + hourLengthMs, endMs)
    yield { fromId, beforeId: firstUuidAt(startMs) }
  }
}

/** Returns the number of results that were deleted. */
async function purgeRange(
  { db, files }: JobDeps,
  { fromId, beforeId }: ResultRange,
  signal: AbortSignal,
): Promise<number> {
  let total = 0
  for (let start = fromId; ; ) {
    signal.throwIfAborted()
    const found = await listResultsIn(db, { fromId: start, beforeId })
    // What no longer fits begins the next batch.
    const next = found.length < batchSize ? undefined : found.pop()?.resultId
    await forEachOf(found, filesAtOnce, files.removeResult)
    if (found.length > 0) await deleteResultsIn(db, { fromId: start, beforeId: next ?? beforeId })
    await voidDays(db, found)
    total += found.length
    if (next === undefined) return total
    start = next
  }
}

/** Bots that were archived 30 days ago, and what was recorded for bots that no longer exist. */
export const removeBotsJob: Job = {
  name: "remove_bots",
  everySeconds: 24 * 3_600,
  async run(deps, signal) {
    const { db, now, files } = deps
    const before = new Date(now() - archivedBotDays * dayMs)
    const bots = await drain(signal, async () => {
      const botIds = await listArchivedBots(db, before)
      for (const botId of botIds) await files.removeBot(botId)
      return botIds.length === 0 ? 0 : await deleteArchivedBots(db, botIds)
    })
    return { bots, results: await removeOrphans(deps, signal) }
  },
}

/**
 * Keys of conversations whose first message was never answered, which left no result: they would outlive
 * their bots. A message under such a key begins a new chat either way.
 */
export const removeKeysJob: Job = {
  name: "remove_keys",
  everySeconds: 24 * 3_600,
  async run({ db, now }, signal) {
    const beforeId = firstUuidAt(now() - dayMs)
    let keys = 0
    for (let afterId: string | undefined = firstUuidAt(0); afterId !== undefined; ) {
      signal.throwIfAborted()
      const batch = await listKeyedIds(db, { afterId, beforeId })
      const unused = await listUnused(db, batch)
      if (unused.length > 0) keys += await deleteKeys(db, unused)
      afterId = batch.length < batchSize ? undefined : batch.at(-1)
    }
    return { keys }
  },
}

/** Day by day, so that no statement has to scan everything. */
async function removeOrphans(deps: JobDeps, signal: AbortSignal): Promise<number> {
  const { db, now } = deps
  const oldest = await findFirstResultFrom(db, firstUuidAt(0))
  if (oldest === undefined) return 0
  let total = 0
  for (let day = timeOfUuid(oldest); day <= now(); day += dayMs) {
    const stretch = { fromId: firstUuidAt(day), beforeId: firstUuidAt(day + dayMs) }
    total += await drain(signal, async () => remove(deps, await listOrphans(db, stretch)))
  }
  return total
}

async function remove({ db, files }: JobDeps, results: readonly ResultOfBot[]): Promise<number> {
  if (results.length === 0) return 0
  for (const result of results) await files.removeResult(result)
  const ids = results.map(({ resultId }) => resultId)
  await deleteResults(db, ids)
  // Counts hold what was chosen.
  await voidDays(db, results)
  return results.length
}
