/** Reads the counts of a bot's results: whole days counted ahead, and of the rest what one call may count. */
import type { Db } from "../db/connection/openDatabase.ts"
import { quarterMs } from "../db/results/analytics.ts"
import { dayOf, quartersOfDay, sumCounts } from "../db/results/countedDays.ts"
import type { VersionCounts } from "../db/results/counts.ts"
import { listUnarchived } from "../db/results/results.ts"
import { firstUuidAt, timeOfUuid } from "../lib/ids.ts"
import { type CountRequest, countResults } from "./countResults.ts"
import { createSums } from "./createSums.ts"
import { dayStarts, type Span } from "./days.ts"

type Asked = Pick<CountRequest, "nowMs" | "hasLeft"> & {
  botId: string
  span: Span
  timeZone: string
}

// Clocks of processes and of the database may differ.
const slackMs = 3_600_000
const dayMs = quartersOfDay * quarterMs
/** Results that one call counts now: the rest waits for the job that counts days ahead. */
const maxNow = 50_000

export type BotCounts = {
  counts: VersionCounts[]
  /** Between these times results are missing, on days that are not counted ahead; absent: none. */
  uncounted?: { fromMs: number; beforeMs: number }
}

/** Counts the results of a bot in a span by version. Throws a 400 when the zone is not an IANA one. */
export async function readCounts(
  db: Db,
  { botId, span, timeZone, ...asked }: Asked,
): Promise<BotCounts> {
  const { nowMs } = asked
  const [oldest] = await listUnarchived(db, { botId, limit: 1 })
  if (oldest === undefined) return { counts: [] }
  const since = Math.floor(timeOfUuid(oldest.resultId) / dayMs) * dayMs
  const fromMs = Math.max(span.fromMs ?? 0, since)
  const beforeMs = Math.min(span.beforeMs ?? Infinity, nowMs + slackMs)
  if (fromMs >= beforeMs) return { counts: [] }
  const from = Math.floor(fromMs / quarterMs)
  const before = Math.ceil(beforeMs / quarterMs)
  // Counts do not apply to partial days.
  const firstDay = Math.ceil(fromMs / dayMs)
  const beforeDay = Math.max(firstDay, Math.floor(beforeMs / dayMs))
  const { days, rows } = await sumCounts(db, {
    botId,
    from: firstDay * quartersOfDay,
    before: beforeDay * quartersOfDay,
    dayStarts: dayStarts(timeZone, from, before),
  })
  const sums = createSums()
  sums.add(rows)
  const ranges = uncounted({ from, before }, days).map((range) => ({
    fromMs: Math.max(range.from * quarterMs, fromMs),
    beforeMs: Math.min(range.before * quarterMs, beforeMs),
  }))
  let room = maxNow
  for (const range of ranges.toReversed()) {
    const ids = { fromId: firstUuidAt(range.fromMs), beforeId: firstUuidAt(range.beforeMs) }
    const request = { ...asked, ...ids, botIds: [botId], limit: room }
    const { count, leftBeforeId } = await countResults(db, sums, request)
    room -= count
    if (leftBeforeId === undefined) continue
    const left = { fromMs: ranges[0]?.fromMs ?? fromMs, beforeMs: timeOfUuid(leftBeforeId) }
    return { counts: sums.all(), uncounted: left }
  }
  return { counts: sums.all() }
}

type Quarters = { from: number; before: number }

/** The parts of a range outside whole days that were counted; adjacent ones are merged. */
function uncounted({ from, before }: Quarters, days: ReadonlySet<string>): Quarters[] {
  const ranges: Quarters[] = []
  for (let start = from; start < before; ) {
    const end = Math.min(Math.floor(start / quartersOfDay + 1) * quartersOfDay, before)
    const isWhole = end - start === quartersOfDay
    const last = ranges.at(-1)
    if (!isWhole || !days.has(dayOf(start))) {
      if (last?.before === start) last.before = end
      else ranges.push({ from: start, before: end })
    }
    start = end
  }
  return ranges
}
