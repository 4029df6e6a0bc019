/** Counts the results of each settled day ahead of requests, so that analytics answer quickly. */
import { countQuarters, quarterMs } from "../db/results/analytics.ts"
import {
  beginDay,
  type CountedDay,
  finishDay,
  listDays,
  savePart,
} from "../db/results/countedDays.ts"
import { findFirstResultFrom } from "../db/results/purge.ts"
import { choiceTypes } from "../engine/blocks/registry.ts"
import { firstUuidAt, newUuid, timeOfUuid } from "../ids.ts"
import { dayMs, type Job, type JobDeps } from "./job.ts"

// Until then chats go on, and a count would soon be wrong; these days are counted when asked for.
const settleMs = 2 * dayMs

/** Days that are over and settled, the newest first. */
export const countAnalyticsJob: Job = {
  name: "count_analytics",
  everySeconds: 900,
  async run({ db, now }, signal) {
    const oldest = await findFirstResultFrom(db, firstUuidAt(0))
    if (oldest === undefined) return { days: 0 }
    const known = new Map((await listDays(db)).map((each) => [each.day, each]))
    const last = startOfDay(now() - settleMs) - dayMs
    let days = 0
    for (let startMs = last; startMs + dayMs > timeOfUuid(oldest); startMs -= dayMs) {
      const day = new Date(startMs).toISOString().slice(0, 10)
      if (!isDue(known.get(day), { startMs, nowMs: now() })) continue
      await countDay({ db, now }, { day, startMs }, signal)
      days += 1
    }
    return { days }
  },
}

/** An hour's counts are stored together: those of a day of a whole service are too many. */
const partMs = 3_600_000

async function countDay(
  { db, now }: Pick<JobDeps, "db" | "now">,
  { day, startMs }: { day: string; startMs: number },
  signal: AbortSignal,
): Promise<void> {
  const countId = newUuid()
  await beginDay(db, { day, countId })
  for (let fromMs = startMs; fromMs < startMs + dayMs; fromMs += partMs) {
    signal.throwIfAborted()
    const beforeMs = fromMs + partMs
    const counts = await countQuarters(db, {
      fromId: firstUuidAt(fromMs),
      beforeId: firstUuidAt(beforeMs),
      choiceTypes,
      openSince: new Date(now() - settleMs),
    })
    const quarters = { from: fromMs / quarterMs, before: beforeMs / quarterMs }
    if (!(await savePart(db, { day, countId, counts, ...quarters }))) return
  }
  await finishDay(db, { day, countId })
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
