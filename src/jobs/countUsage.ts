/** The job that counts the chats of each workspace and keeps workspaces to their limits. */
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
import { chatsLimitOf, isOverHardLimit } from "../shared/plans.ts"
import { dayMs, type Job, type JobParts } from "./job.ts"

// Chats get their first answer later than their result; sessions live for 48 hours.
const settleMs = 2 * dayMs
const mostOfLimit = 0.75

/** Chats of this month, and of the last one as long as some of its chats may still begin. */
export const countUsageJob: Job = {
  name: "count_usage",
  everySeconds: 300,
  async run(parts) {
    const now = parts.now()
    const month = monthOf(now)
    const previous = monthOf(month.startMs - 1)
    if (now < month.startMs + 2 * settleMs) await count(parts, previous)
    await count(parts, month)
    return await judge(parts, month)
  },
}

async function count({ db, now, log }: JobParts, month: Month): Promise<void> {
  const { start: periodStart, startMs, endMs } = month
  const from = await findWatermark(db, periodStart)
  const fromId = from ?? firstUuidAt(startMs)
  const settled = firstUuidAt(Math.min(endMs, Math.max(startMs, now() - settleMs)))
  // A clock that was set back must not unsettle what is settled.
  const watermark = settled < fromId ? fromId : settled
  const beforeId = firstUuidAt(endMs)
  const counts = await countChats(db, { fromId, watermark, beforeId })
  const isSaved = await saveCount(db, { periodStart, from, watermark, counts })
  if (!isSaved) log.info({ periodStart }, "Chats were counted by another process meanwhile")
}

async function judge(
  { db, log, planLimits }: JobParts,
  { start: periodStart, startMs }: Month,
): Promise<Record<string, number>> {
  await forgetQuotaNotices(db, new Date(startMs))
  const all = await listQuotaFacts(db, periodStart)
  const done = { workspaces: all.length, quarantined: 0, released: 0 }
  for (const facts of all) {
    const { workspaceId, chats } = facts
    const limit = chatsLimitOf(facts, planLimits)
    const notice = noticeDue(facts, { limit, startMs })
    if (notice) {
      await recordQuotaNotice(db, workspaceId, notice)
      const share = notice === "quotaFirstEmailSentAt" ? mostOfLimit : 1
      log.info({ workspaceId, chats, limit, share }, "A workspace has used its chats of the month")
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
  }
  return done
}

type Notice = "quotaFirstEmailSentAt" | "quotaSecondEmailSentAt"

/** What is to be told now: that all of the limit is used, or most of it, once a month each. */
function noticeDue(
  facts: QuotaFacts,
  { limit, startMs }: { limit: number | undefined; startMs: number },
): Notice | undefined {
  const { chats, quotaFirstEmailSentAt, quotaSecondEmailSentAt } = facts
  if (limit === undefined) return undefined
  const isTold = (at: Date | null) => at !== null && at.getTime() >= startMs
  if (chats >= limit && !isTold(quotaSecondEmailSentAt)) return "quotaSecondEmailSentAt"
  const isMost = chats >= mostOfLimit * limit && !isTold(quotaSecondEmailSentAt)
  return isMost && !isTold(quotaFirstEmailSentAt) ? "quotaFirstEmailSentAt" : undefined
}
