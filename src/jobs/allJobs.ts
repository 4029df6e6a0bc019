/** All jobs: interval and function. */
import { recheckDomains } from "../bots/domains/proveDomain.ts"
import { settleFiles } from "../bots/storeAuthorFiles.ts"
import type { Chat } from "../chat/chat.ts"
import { fireTimers } from "../chat/conversations/fireTimers.ts"
import { purgeConversationKeys } from "../chat/conversations/purgeConversationKeys.ts"
import { purgeUnanswered } from "../chat/sessions/purgeUnanswered.ts"
import { warnInactive } from "../people/warnInactive.ts"
import { copyTexts, removeLeftTexts } from "../results/copyTexts.ts"
import { countDays } from "../results/countDays.ts"
import { countUsage } from "../results/countUsage.ts"
import { purgeByBotRetention } from "../results/purgeByBotRetention.ts"
import {
  purgeAuditLog,
  purgeEdits,
  purgeEvents,
  purgeKeys,
  purgeLogs,
  purgePreviews,
  purgeSessions,
  purgeStripeEvents,
  purgeTokens,
  purgeVersions,
} from "../results/purgeExpired.ts"
import { purgeBots, purgeResults } from "../results/purgeResults.ts"
import { limitDeliveries } from "./deliveries/limitDeliveries.ts"
import type { Job } from "./job.ts"

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** All jobs, in the order of their first run. */
export const allJobs: readonly Job[] = [
  { name: "count_usage", everySeconds: 5 * minute, run: countUsage },
  { name: "count_analytics", everySeconds: 15 * minute, run: countDays },
  { name: "copy_texts", everySeconds: 5 * minute, run: copyTexts },
  { name: "purge_sessions", everySeconds: hour, run: purgeSessions },
  { name: "purge_unanswered", everySeconds: 15 * minute, run: purgeUnanswered },
  { name: "purge_previews", everySeconds: hour, run: purgePreviews },
  { name: "purge_keys", everySeconds: hour, run: purgeKeys },
  { name: "purge_events", everySeconds: hour, run: purgeEvents },
  { name: "limit_deliveries", everySeconds: minute, run: limitDeliveries },
  { name: "purge_logs", everySeconds: 6 * hour, run: purgeLogs },
  { name: "purge_tokens", everySeconds: day, run: purgeTokens },
  { name: "purge_audit_log", everySeconds: day, run: purgeAuditLog },
  { name: "purge_stripe_events", everySeconds: day, run: purgeStripeEvents },
  { name: "purge_edits", everySeconds: day, run: purgeEdits },
  { name: "purge_results", everySeconds: 6 * hour, run: purgeResults },
  { name: "forget_results", everySeconds: minute, run: purgeByBotRetention },
  { name: "remove_bots", everySeconds: day, run: purgeBots },
  { name: "remove_keys", everySeconds: day, run: purgeConversationKeys },
  { name: "check_domains", everySeconds: 15 * minute, run: recheckDomains },
  { name: "warn_inactive", everySeconds: 6 * hour, run: warnInactive },
  { name: "settle_files", everySeconds: 5 * minute, run: settleFiles },
  { name: "remove_texts", everySeconds: day, run: removeLeftTexts },
  { name: "remove_versions", everySeconds: day, run: purgeVersions },
]

/** The job of timers, on a schedule of its own because others may be minutes late. */
export function timersJob(chat: Chat): Job {
  const run: Job["run"] = (deps, signal) => fireTimers(chat, deps, signal)
  return { name: "fire_timers", everySeconds: 0, run }
}
