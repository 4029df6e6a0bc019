/** Deletes results after the time for which their bots keep them. */

import type { Db } from "../db/connection/openDatabase.ts"
import { deleteResults } from "../db/results/purge.ts"
import type { ResultOfChat } from "../db/results/resultAddress.ts"
import { emptyResultRows, listUnarchived } from "../db/results/results.ts"
import {
  deleteTraffic,
  findRetention,
  listLastLive,
  listMovedSince,
  listSessionsOf,
} from "../db/results/retention.ts"
import { batchSize } from "../lib/batches.ts"
import { firstUuidAt } from "../lib/ids.ts"
import { deleteWithFiles, type ResultFiles } from "./deleteWithFiles.ts"
import { beginningsOf } from "./emptyResults.ts"

type Deps = { db: Db; files: ResultFiles; now(): number }

const dayMs = 86_400_000
const openMs = 2 * dayMs
// Chats are counted for good after two days; until then the emptied row of a result stays.
const countedMs = 3 * dayMs
/** Until then a repetition of the last request gets its answer, and events are handed out. */
const graceMs = 60_000

/** The retention of a version, which never changes, in days; undefined: not set. */
const daysOf = new Map<string, number | undefined>()

/** Deletes results beyond the retention of their bot; 0 days: as soon as their chats are over. */
export async function purgeByBotRetention(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ results: number }> {
  let results = 0
  for (const { botId, versionId } of await listLive(deps.db)) {
    const days = daysOf.get(versionId)
    if (days !== undefined) results += await forget(deps, { botId, keptMs: days * dayMs }, signal)
  }
  return { results }
}

/** The bots that were ever live, with the retention of their last version. */
async function listLive(db: Db) {
  const live = await listLastLive(db)
  const unknown = live.flatMap(({ versionId }) => (daysOf.has(versionId) ? [] : versionId))
  if (unknown.length === 0) return live
  const found = await findRetention(db, unknown)
  for (const id of unknown) daysOf.set(id, found.get(id))
  return live
}

async function forget(
  deps: Deps,
  { botId, keptMs }: { botId: string; keptMs: number },
  signal: AbortSignal,
): Promise<number> {
  const { db, files } = deps
  const beforeId = firstUuidAt(deps.now() - Math.max(keptMs, graceMs))
  const clear = (results: readonly ResultOfChat[]) => {
    const resultIds = results.map(({ resultId }) => resultId)
    return keptMs < countedMs
      ? emptyResultRows(db, { botIds: [botId], resultIds })
      : deleteResults(db, results)
  }
  let total = 0
  let afterId: string | undefined
  for (;;) {
    signal.throwIfAborted()
    const batch = await listUnarchived(db, { botId, afterId, beforeId, limit: batchSize })
    const ended = await endedAmong(deps, batch)
    // First, as when erasing: the next run cannot find deleted results.
    await deleteTraffic(db, beginningsOf(ended))
    await deleteWithFiles(files, ended, () => clear(ended))
    total += ended.length
    if (batch.length < batchSize) return total
    afterId = batch.at(-1)?.resultId
  }
}

/** A chat that may be continued would write its result again; one that has just ended is left alone. */
async function endedAmong({ db, now }: Deps, results: readonly ResultOfChat[]) {
  if (results.length === 0) return []
  const open = await listSessionsOf(db, results, new Date(now() - openMs))
  const recent = await listMovedSince(db, results, new Date(now() - graceMs))
  const busy = new Set([
    ...recent,
    ...open.flatMap(({ resultId, sessionId }) => [resultId, sessionId]),
  ])
  return results.filter(
    ({ resultId, lastChatSessionId }) => !busy.has(resultId) && !busy.has(lastChatSessionId ?? ""),
  )
}
