/** Every job, once. */
import { countAnalyticsJob } from "./countAnalytics.ts"
import { countUsageJob } from "./countUsage.ts"
import { forgetResultsJob } from "./forgetResults.ts"
import type { Job } from "./job.ts"
import {
  purgeAuditLogJob,
  purgeEventsJob,
  purgeKeysJob,
  purgeLogsJob,
  purgePreviewsJob,
  purgeSessionsJob,
  purgeTokensJob,
} from "./purge.ts"
import { purgeUnansweredJob } from "./purgeUnanswered.ts"
import { purgeResultsJob, removeBotsJob, removeKeysJob } from "./removeResults.ts"
import { removeVersionsJob } from "./removeVersions.ts"

/** All jobs, in the order of their first run. */
export const allJobs: readonly Job[] = [
  countUsageJob,
  countAnalyticsJob,
  purgeSessionsJob,
  purgeUnansweredJob,
  purgePreviewsJob,
  purgeKeysJob,
  purgeEventsJob,
  purgeLogsJob,
  purgeTokensJob,
  purgeAuditLogJob,
  purgeResultsJob,
  forgetResultsJob,
  removeBotsJob,
  removeKeysJob,
  removeVersionsJob,
]
