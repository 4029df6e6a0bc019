/** Every job, once. */
import { countUsageJob } from "./countUsage.ts"
import type { Job } from "./job.ts"
import {
  purgeEventsJob,
  purgeKeysJob,
  purgeLogsJob,
  purgePreviewsJob,
  purgeSessionsJob,
  purgeTokensJob,
} from "./purge.ts"
import { purgeUnansweredJob } from "./purgeUnanswered.ts"
import { purgeResultsJob, removeBotsJob } from "./removeResults.ts"
import { removeVersionsJob } from "./removeVersions.ts"

/** All jobs, in the order of their first run. */
export const allJobs: readonly Job[] = [
  countUsageJob,
  purgeSessionsJob,
  purgeUnansweredJob,
  purgePreviewsJob,
  purgeKeysJob,
  purgeEventsJob,
  purgeLogsJob,
  purgeTokensJob,
  purgeResultsJob,
  removeBotsJob,
  removeVersionsJob,
]
