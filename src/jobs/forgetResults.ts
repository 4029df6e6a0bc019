/** Deletes the results that bots say they keep no longer. */

import { voidDays } from "../db/results/countedDays.ts"
import { batchSize, deleteResults } from "../db/results/purge.ts"
import { archiveResults } from "../db/results/results.ts"
import {
  beginningsOf,
  findRetention,
  forgetTold,
  listLastLive,
  listMovedSince,
  listResultsOf,
  listSessionsOf,
  type ResultOfChat,
} from "../db/results/retention.ts"
import { firstUuidAt } from "../ids.ts"
import { dayMs, forEachOf, type Job, type JobDeps } from "./job.ts"

const openMs = 2 * dayMs
// Chats are counted for good after two days; until then the emptied row of a result stays.
const countedMs = 3 * dayMs
/** Meanwhile a repetition of the last request gets its answer, and events are handed out. */
const graceMs = 60_000
const filesAtOnce = 16

/** Versions never change: what each says is read once. Undefined: nothing. */
const daysOf = new Map<string, number | undefined>()

/** Results beyond the retention of their bot, and all of chats that are over where it is 0 days. */
export const forgetResultsJob: Job = {
  name: "forget_results",
  everySeconds: 60,
  async run(deps, signal) {
    let results = 0
    for (const { botId, days } of await listBots(deps)) {
      const endMs = deps.now() - Math.max(days * dayMs, graceMs)
      results += await forget(deps, { botId, endMs, keepsRows: days * dayMs < countedMs }, signal)
    }
    return { results }
  },
}

async function listBots({ db }: JobDeps): Promise<{ botId: string; days: number }[]> {
  const live = await listLastLive(db)
  const unknown = live.flatMap(({ versionId }) => (daysOf.has(versionId) ? [] : versionId))
  if (unknown.length > 0) {
    const found = await findRetention(db, unknown)
    for (const id of unknown) daysOf.set(id, found.get(id))
  }
  return live.flatMap(({ botId, versionId }) => {
    const days = daysOf.get(versionId)
    return days === undefined ? [] : { botId, days }
  })
}

type Beyond = { botId: string; endMs: number; keepsRows: boolean }

async function forget(
  deps: JobDeps,
  { botId, endMs, keepsRows }: Beyond,
  signal: AbortSignal,
): Promise<number> {
  const { db, files } = deps
  const beforeId = firstUuidAt(endMs)
  let total = 0
  let afterId: string | undefined
  for (;;) {
    signal.throwIfAborted()
    const batch = await listResultsOf(db, { botId, afterId, beforeId })
    const ended = await endedAmong(deps, batch)
    const ids = ended.map(({ resultId }) => resultId)
    const removeFiles = (some: readonly string[]) =>
      forEachOf([...some], filesAtOnce, (resultId) => files.removeResult({ botId, resultId }))
    if (keepsRows) await archiveResults(db, botId, ids, removeFiles)
    else if (ids.length > 0) {
      await removeFiles(ids)
      await deleteResults(db, ids)
      await voidDays(
        db,
        ids.map((resultId) => ({ botId, resultId })),
      )
    }
    await forgetTold(db, beginningsOf(ended))
    total += ids.length
    if (batch.length < batchSize) return total
    afterId = batch.at(-1)?.resultId
  }
}

/** A chat that may be continued would write its result again; one that has just ended is left alone. */
async function endedAmong(
  { db, now }: JobDeps,
  results: readonly ResultOfChat[],
): Promise<ResultOfChat[]> {
  if (results.length === 0) return []
  const open = await listSessionsOf(db, results, new Date(now() - openMs))
  const recent = await listMovedSince(db, results, new Date(now() - graceMs))
  const busy = new Set([...recent, ...open.flatMap(({ resultId, id }) => [resultId, id])])
  return results.filter(
    ({ resultId, lastChatSessionId }) => !busy.has(resultId) && !busy.has(lastChatSessionId ?? ""),
  )
}
