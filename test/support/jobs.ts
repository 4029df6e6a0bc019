/** Runs jobs within tests. */

import type { Db } from "../../src/db/connection/openDatabase.ts"
import { readNamingKey } from "../../src/db/people/secrets.ts"
import { createDomainRecords } from "../../src/effects/network/domainRecords.ts"
import { allJobs } from "../../src/jobs/allJobs.ts"
import type { JobCounts, JobDeps } from "../../src/jobs/job.ts"
import { usualPlanLimits } from "../../src/lib/plans.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { usualUnansweredMs } from "./chats.ts"

/** A store without files. */
export const noFiles: JobDeps["files"] = {
  deleteResultFiles: async () => {},
  deleteBotFiles: async () => {},
  purgePreviewFiles: async () => {},
  deleteFile: async () => {},
  measureFile: async () => undefined,
}

/** Runs a job once, by its name; `parts` replace what it usually gets, and `signal` cuts it short. */
export async function runJob(
  db: Db,
  name: string,
  {
    signal = new AbortController().signal,
    ...parts
  }: Partial<JobDeps> & { signal?: AbortSignal } = {},
): Promise<JobCounts> {
  const usual: JobDeps = {
    db,
    log: silentLog(),
    files: noFiles,
    planLimits: usualPlanLimits,
    showQuota: () => {},
    unansweredMs: usualUnansweredMs,
    records: createDomainRecords(["127.0.0.1:9"]),
    namingKey: await readNamingKey(db),
    maxDeliveriesBytes: Number.POSITIVE_INFINITY,
    now: Date.now,
  }
  const job = allJobs.find((each) => each.name === name)
  if (!job) throw new Error(`There is no job ${name}`)
  return await job.run({ ...usual, ...parts }, signal)
}
