/** Counts the chats of each workspace, and enforces the limits of plans. */
import type { Db } from "../db/connection/openDatabase.ts"
import { inTransaction } from "../db/connection/transactions.ts"
import {
  countChats,
  findWatermark,
  type HourRow,
  listHours,
  listQuotaFacts,
  purgeQuotaNotices,
  type QuotaFacts,
  type QuotaNotice,
  recordQuotaNotice,
  saveCount,
  saveHours,
  setQuarantine,
} from "../db/results/usage.ts"
import { firstUuidAt, timeOfUuid } from "../lib/ids.ts"
import {
  chatsLimitOf,
  isOverHardLimit,
  type Month,
  monthOf,
  noticeLimitOf,
  type PlanLimits,
  quarantineFor,
} from "../lib/plans.ts"
import type { Log } from "../telemetry/log.ts"
import type { Metrics } from "../telemetry/metrics.ts"

type Deps = {
  db: Db
  log: Log
  planLimits: PlanLimits
  showQuota: Metrics["showQuota"]
  now(): number
}

const hourMs = 3_600_000
// A chat gets its first answer later than its result, within the 48 hours of its session.
const settleMs = 48 * hourMs
const youngMs = 3 * hourMs
const warningShare = 0.8

/** Counts this month, and the last one while some of its chats may still get an answer. */
export async function countUsage(deps: Deps): Promise<Record<string, number>> {
  const now = deps.now()
  const month = monthOf(now)
  if (now < month.startMs + 2 * settleMs) await countMonth(deps, monthOf(month.startMs - 1))
  await countMonth(deps, month)
  return await enforceLimits(deps, month)
}

async function countMonth(deps: Deps, { start: periodStart, startMs, endMs }: Month) {
  const { db, now, log } = deps
  const from = await findWatermark(db, periodStart)
  const fromId = from ?? firstUuidAt(startMs)
  const settledMs = Math.min(endMs, Math.max(startMs, startOfHour(now() - settleMs)))
  const settledId = firstUuidAt(settledMs)
  // Monotonic, even when the clock was set back.
  let watermark = settledId < fromId ? fromId : settledId
  let settled: ReadonlyMap<string, number> = new Map()
  if (watermark !== fromId) {
    const { chats, isWhole } = await countChats(db, { fromId, beforeId: watermark })
    // Settled hours are not counted again: settling waits for all nodes.
    if (isWhole) settled = chats
    else watermark = fromId
  }
  const open = await countHours(deps, { watermark, endMs })
  const workspaceIds = new Set([...settled.keys(), ...open.keys()])
  const counts = [...workspaceIds].map((workspaceId) => {
    const done = settled.get(workspaceId) ?? 0
    return { workspaceId, settled: done, chats: done + (open.get(workspaceId) ?? 0) }
  })
  const isSaved = await saveCount(db, { periodStart, from, watermark, counts })
  if (!isSaved) log.info({ periodStart }, "Chats were counted by another process meanwhile")
}

/** The chats since the watermark, by workspace: hours that are due are counted again. */
async function countHours(
  { db, now }: Deps,
  { watermark, endMs }: { watermark: string; endMs: number },
): Promise<Map<string, number>> {
  const startMs = startOfHour(timeOfUuid(watermark))
  const stored = await listHours(db, { startMs, endMs })
  const known = new Map(stored.map((row) => [row.hour.getTime(), row]))
  const counted: HourRow[] = []
  const sums = new Map<string, number>()
  // Hours that have begun.
  const beforeMs = Math.min(endMs, now() + 1)
  for (let hourStartMs = startMs; hourStartMs < beforeMs; hourStartMs += hourMs) {
    const firstId = firstUuidAt(hourStartMs)
    const fromId = watermark > firstId ? watermark : firstId
    const row = known.get(hourStartMs)
    const former = row?.fromId === fromId ? row.chats : {}
    let current = former
    if (row?.fromId !== fromId || isDue(row, now())) {
      const beforeId = firstUuidAt(hourStartMs + hourMs)
      const { chats, isWhole } = await countChats(db, { fromId, beforeId })
      current = isWhole ? Object.fromEntries(chats) : mostOf(former, chats)
      const hour = new Date(hourStartMs)
      if (isWhole) counted.push({ hour, fromId, chats: current, countedAt: new Date(now()) })
    }
    for (const [workspaceId, chats] of Object.entries(current)) {
      sums.set(workspaceId, (sums.get(workspaceId) ?? 0) + chats)
    }
  }
  await saveHours(db, counted)
  return sums
}

/** The larger of two counts, as a later one may lack chats. */
function mostOf(former: HourRow["chats"], chats: ReadonlyMap<string, number>) {
  const most = { ...former }
  for (const [id, count] of chats) most[id] = Math.max(count, most[id] ?? 0)
  return most
}

/**
 * Most first answers come soon. So an hour is counted at every run while it is young, and then when
 * its age has doubled.
 */
function isDue({ hour, countedAt }: HourRow, nowMs: number): boolean {
  const ageMs = nowMs - hour.getTime()
  return ageMs < youngMs || ageMs >= 2 * (countedAt.getTime() - hour.getTime())
}

function startOfHour(timeMs: number): number {
  return Math.floor(timeMs / hourMs) * hourMs
}

/** Closes workspaces that have had too many chats, reopens those that have not, and warns in time. */
async function enforceLimits(
  { db, log, planLimits, showQuota }: Deps,
  { start: periodStart, startMs }: Month,
): Promise<Record<string, number>> {
  await purgeQuotaNotices(db, new Date(startMs))
  const all = await listQuotaFacts(db, periodStart)
  const done = { workspaces: all.length, quarantined: 0, released: 0 }
  const levels = { most: 0, all: 0, closed: 0 }
  for (const facts of all) {
    const { workspaceId, chats } = facts
    const limit = chatsLimitOf(facts, planLimits)
    const noticeLimit = noticeLimitOf(facts, limit)
    const level = levelOf(chats, noticeLimit)
    const notice = level && noticeDue(facts, level, startMs)
    if (notice) {
      await recordQuotaNotice(db, workspaceId, notice)
      log.warn({ workspaceId, chats, limit: noticeLimit }, noticeWords[notice])
    }
    const isQuarantined = quarantineFor(facts, planLimits)
    if (isQuarantined !== undefined) {
      const month = { workspaceId, periodStart }
      await inTransaction(db, (kysely) => setQuarantine({ kysely }, month, isQuarantined))
    }
    if (isQuarantined === true) {
      log.warn({ workspaceId, chats, limit }, "A workspace was closed to new chats")
      done.quarantined += 1
    }
    if (isQuarantined === false) {
      log.info({ workspaceId, chats, limit }, "A workspace was opened to new chats again")
      done.released += 1
    }
    if (isOverHardLimit(facts, limit)) levels.closed += 1
    else if (level) levels[level] += 1
  }
  showQuota(levels)
  return done
}

/** How much of its limit a workspace has used: most or all of it. */
type Level = "most" | "all"

function levelOf(chats: number, limit: number | undefined): Level | undefined {
  if (limit === undefined || chats < warningShare * limit) return undefined
  return chats < limit ? "most" : "all"
}

const noticeWords: Record<QuotaNotice, string> = {
  quotaFirstEmailSentAt: "A workspace has used 80 % of its chats of the month",
  quotaSecondEmailSentAt: "A workspace has used all its chats of the month",
}

/** The notice that is due: that the limit is reached, or nearly so; each once a month. */
function noticeDue(
  { quotaFirstEmailSentAt: first, quotaSecondEmailSentAt: second }: QuotaFacts,
  level: Level,
  startMs: number,
): QuotaNotice | undefined {
  const isSent = (at: Date | null) => at !== null && at.getTime() >= startMs
  if (isSent(second)) return undefined
  if (level === "all") return "quotaSecondEmailSentAt"
  return isSent(first) ? undefined : "quotaFirstEmailSentAt"
}
