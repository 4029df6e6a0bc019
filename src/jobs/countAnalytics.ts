/** Counts the results of each settled day ahead of requests, so that analytics answer quickly. */
import {
  beginDay,
  type CountedDay,
  countQuarters,
  listDays,
  saveDay,
} from "../db/results/analytics.ts"
import { findOldestResult } from "../db/results/purge.ts"
import { choiceTypes } from "../engine/blocks/registry.ts"
import { firstUuidAt, newUuid, timeOfUuid } from "../ids.ts"
import { dayMs, type Job } from "./job.ts"

// Until then chats go on, and a count would soon be wrong; these days are counted when asked for.
const settleMs = 2 * dayMs

/** Days that are over and settled, the newest first. */
export const countAnalyticsJob: Job = {
  name: "count_analytics",
  everySeconds: 900,
  async run({ db, now }, signal) {
    const oldest = await findOldestResult(db, firstUuidAt(0))
    if (oldest === undefined) return { days: 0 }
    const known = new Map((await listDays(db)).map((each) => [each.day, each]))
    const last = startOfDay(now() - settleMs) - dayMs
    let days = 0
    for (let startMs = last; startMs + dayMs > timeOfUuid(oldest); startMs -= dayMs) {
      const day = new Date(startMs).toISOString().slice(0, 10)
      if (!isDue(known.get(day), { startMs, nowMs: now() })) continue
      signal.throwIfAborted()
      const countId = newUuid()
      await beginDay(db, { day, countId })
      const counts = await countQuarters(db, {
        fromId: firstUuidAt(startMs),
        beforeId: firstUuidAt(startMs + dayMs),
        choiceTypes,
        openSince: new Date(now() - settleMs),
      })
      await saveDay(db, { day, countId, counts })
      days += 1
    }
    return { days }
  },
}

/** Chats may still go on, and a returning visitor goes on with an old result: ever more seldom. */
function isDue(
  known: CountedDay | undefined,
  { startMs, nowMs }: { startMs: number; nowMs: number },
): boolean {
  if (!known?.countedAt) return true
  return nowMs - startMs >= 2 * (known.countedAt.getTime() - startMs)
}

function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs) * dayMs
}
