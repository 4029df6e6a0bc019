/** Counts the chats of each workspace, and enforces the limits. */
import {
  countChats,
  findWatermark,
  forgetQuotaNotices,
  liftQuarantine,
  listQuotaFacts,
  type Month,
  monthOf,
  type QuotaFacts,
  quarantine,
  recordQuotaNotice,
  saveCount,
} from "../db/results/usage.ts"
import { firstUuidAt } from "../shared/ids.ts"
import { chatsLimitOf, isOverHardLimit, noticeLimitOf } from "../shared/plans.ts"
import { dayMs, type Job, type JobDeps } from "./job.ts"

// A chat gets its first answer later than its result, within the 48 hours of its session.
const settleMs = 2 * dayMs
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

async function count({ db, now, log }: JobDeps, month: Month): Promise<void> {
  const { start: periodStart, startMs, endMs } = month
  const from = await findWatermark(db, periodStart)
  const fromId = from ?? firstUuidAt(startMs)
  const settled = firstUuidAt(Math.min(endMs, Math.max(startMs, now() - settleMs)))
  // Also when the clock was set back.
  const watermark = settled < fromId ? fromId : settled
  const beforeId = firstUuidAt(endMs)
  const counts = await countChats(db, { fromId, watermark, beforeId })
  const isSaved = await saveCount(db, { periodStart, from, watermark, counts })
  if (!isSaved) log.info({ periodStart }, "Chats were counted by another process meanwhile")
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
