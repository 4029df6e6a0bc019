/** Jobs that delete recorded conversations for good: by age, and with their bots. */
import {
  deleteArchivedBots,
  deleteResults,
  findOldestResult,
  listArchivedBots,
  listOldResults,
  listOrphans,
  type ResultOfBot,
} from "../db/results/purge.ts"
import { firstUuidAt, timeOfUuid } from "../shared/ids.ts"
import { dayMs, drain, type Job, type JobDeps } from "./job.ts"

const archivedBotDays = 30

/** Conversations beyond the retention that the operator has set. */
export const purgeResultsJob: Job = {
  name: "purge_results",
  everySeconds: 6 * 3_600,
  async run(deps, signal) {
    const { db, now, resultRetentionDays } = deps
    if (resultRetentionDays === undefined) return { results: 0 }
    const beforeId = firstUuidAt(now() - resultRetentionDays * dayMs)
    const results = await drain(signal, async () =>
      remove(deps, await listOldResults(db, beforeId)),
    )
    return { results }
  },
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

/** Day by day, so that no statement has to scan everything. */
async function removeOrphans(deps: JobDeps, signal: AbortSignal): Promise<number> {
  const { db, now } = deps
  const oldest = await findOldestResult(db)
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
  await deleteResults(
    db,
    results.map(({ resultId }) => resultId),
  )
  return results.length
}
