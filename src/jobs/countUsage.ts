/** Counts the chats of each workspace, and enforces the limits. */
import {
  countChats,
  findWatermark,
  forgetQuotaNotices,
  type HourRow,
  liftQuarantine,
  listHours,
  listQuotaFacts,
  type Month,
  monthOf,
  type QuotaFacts,
  quarantine,
  recordQuotaNotice,
  saveCount,
  saveHours,
} from "../db/results/usage.ts"
import { firstUuidAt, timeOfUuid } from "../ids.ts"
import { chatsLimitOf, isOverHardLimit, noticeLimitOf } from "../plans.ts"
import { dayMs, type Job, type JobDeps } from "./job.ts"

// A chat gets its first answer later than its result, within the 48 hours of its session.
const settleMs = 2 * dayMs
const hourLengthMs = 3_600_000
const youngMs = 3 * hourLengthMs
const mostOfLimit = 0.8

/** Chats of this month, and of the last one while some of its chats may still get an answer. */
export const countUsageJob: Job = {
  name: "count_usage",
  everySeconds: 300,
  async run(deps) {
    const now = deps.now()
    const month = monthOf(now)
    const previous = monthOf(month.startMs - 1)
    if (now < month.startMs + 2 * settleMs) await count(deps, previous)
    await count(deps, month)
    return await judge(deps, month)
  },
}

async function count(deps: JobDeps, { start: periodStart, startMs, endMs }: Month): Promise<void> {
  const { db, now, log } = deps
  const from = await findWatermark(db, periodStart)
  const fromId = from ?? firstUuidAt(startMs)
  const settled = Math.min(endMs, Math.max(startMs, startOfHour(now() - settleMs)))
  const settledId = firstUuidAt(settled)
  // Also when the clock was set back.
  const watermark = settledId < fromId ? fromId : settledId
  const done = watermark === fromId ? [] : await countChats(db, { fromId, beforeId: watermark })
  const open = await countHours(deps, { watermark, endMs })
  const counts = { settled: new Map(done.map((each) => [each.workspaceId, each.chats])), open }
  const isSaved = await saveCount(db, { periodStart, from, watermark, ...counts })
  if (!isSaved) log.info({ periodStart }, "Chats were counted by another process meanwhile")
}

/** The chats since the watermark, by workspace: hours that are due are counted again. */
async function countHours(
  { db, now }: JobDeps,
  { watermark, endMs }: { watermark: string; endMs: number },
): Promise<Map<string, number>> {
  const startMs = startOfHour(timeOfUuid(watermark))
  const stored = await listHours(db, { startMs, endMs })
  const known = new Map(stored.map((row) => [row.hour.getTime(), row]))
  const counted: HourRow[] = []
  const sums = new Map<string, number>()
  for (let hourMs = startMs; hourMs < endMs && hourMs <= now(); hourMs += hourLengthMs) {
    const firstId = firstUuidAt(hourMs)
    const fromId = watermark > firstId ? watermark : firstId
    let row = known.get(hourMs)
    if (row?.fromId !== fromId || isDue(row, now())) {
      const counts = await countChats(db, { fromId, beforeId: firstUuidAt(hourMs + hourLengthMs) })
      const chats = Object.fromEntries(counts.map((each) => [each.workspaceId, each.chats]))
      row = { hour: new Date(hourMs), fromId, chats, countedAt: new Date(now()) }
      counted.push(row)
    }
    for (const [workspaceId, chats] of Object.entries(row.chats)) {
      sums.set(workspaceId, (sums.get(workspaceId) ?? 0) + chats)
    }
  }
  await saveHours(db, counted)
  return sums
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
  return Math.floor(timeMs / hourLengthMs) * hourLengthMs
}

async function judge(
  { db, log, planLimits, showQuota }: JobDeps,
  { start: periodStart, startMs }: Month,
): Promise<Record<string, number>> {
  await forgetQuotaNotices(db, new Date(startMs))
  const all = await listQuotaFacts(db, periodStart)
  const done = { workspaces: all.length, quarantined: 0, released: 0 }
  const levels = { most: 0, all: 0, closed: 0 }
  for (const facts of all) {
    const { workspaceId, chats } = facts
    const limit = chatsLimitOf(facts, planLimits)
    const noticeLimit = noticeLimitOf(facts, limit)
    const notice = noticeDue(facts, { limit: noticeLimit, startMs })
    if (notice) {
      await recordQuotaNotice(db, workspaceId, notice)
      log.warn({ workspaceId, chats, limit: noticeLimit }, noticeWords[notice])
    }
    const isOver = isOverHardLimit(facts, limit)
    if (isOver && !facts.isQuarantined) {
      await quarantine(db, { workspaceId, periodStart })
      log.warn({ workspaceId, chats, limit }, "A workspace was closed to new chats")
      done.quarantined += 1
    }
    if (!isOver && facts.isQuarantined && facts.isCounted && !facts.isPastDue) {
      await liftQuarantine(db, workspaceId)
      log.info({ workspaceId, chats, limit }, "A workspace was opened to new chats again")
      done.released += 1
    }
    const level = isOver ? "closed" : levelOf(chats, noticeLimit)
    if (level) levels[level] += 1
  }
  showQuota(levels)
  return done
}

function levelOf(chats: number, limit: number | undefined): "most" | "all" | undefined {
  if (limit === undefined || chats < mostOfLimit * limit) return undefined
  return chats < limit ? "most" : "all"
}

type Notice = "quotaFirstEmailSentAt" | "quotaSecondEmailSentAt"

const noticeWords: Record<Notice, string> = {
  quotaFirstEmailSentAt: "A workspace has used 80 % of its chats of the month",
  quotaSecondEmailSentAt: "A workspace has used all its chats of the month",
}

/** The notice that is due: that the limit is reached, or nearly so; each once a month. */
function noticeDue(
  facts: QuotaFacts,
  { limit, startMs }: { limit: number | undefined; startMs: number },
): Notice | undefined {
  const { chats, quotaFirstEmailSentAt, quotaSecondEmailSentAt } = facts
  if (limit === undefined) return undefined
  const isSent = (at: Date | null) => at !== null && at.getTime() >= startMs
  if (chats >= limit && !isSent(quotaSecondEmailSentAt)) return "quotaSecondEmailSentAt"
  const isMost = chats >= mostOfLimit * limit && !isSent(quotaSecondEmailSentAt)
  return isMost && !isSent(quotaFirstEmailSentAt) ? "quotaFirstEmailSentAt" : undefined
}
