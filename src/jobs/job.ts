/** The contract of jobs. */
import type { Db } from "../db/connection/openDatabase.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import type { MailServer } from "../effects/mail/smtp.ts"
import type { DomainRecords } from "../effects/network/domainRecords.ts"
import type { PlanLimits } from "../lib/plans.ts"
import type { Log } from "../telemetry/log.ts"
import type { Metrics } from "../telemetry/metrics.ts"

export type JobDeps = {
  /** Connections that chats do not wait for. */
  db: Db
  log: Log
  /** Measures and removes files. */
  files: Pick<
    FileStore,
    "deleteResultFiles" | "deleteBotFiles" | "purgePreviewFiles" | "deleteFile" | "measureFile"
  >
  planLimits: PlanLimits
  /** Shows in the metrics how many workspaces are near their limit of chats. */
  showQuota: Metrics["showQuota"]
  /** How long chats may wait for their first answer. */
  unansweredMs: number
  /** Max size of handed-out events and their deliveries. */
  maxDeliveriesBytes: number
  /** Asks the DNS about domains of bots, which records made with the key prove. */
  records: DomainRecords
  namingKey: Buffer
  /** When to write to inactive workspaces, and how; absent: never. */
  inactivity?: { afterDays: number; server: MailServer; publicUrl: string } | undefined
  /** Days after which recorded conversations are deleted; absent: never. */
  resultRetentionDays?: number | undefined
  /** The database's clock, in milliseconds since 1970. */
  now(): number
}

/** How many things a run has dealt with, by kind. */
export type JobCounts = Readonly<Record<string, number>>

/**
 * A recurring job. One process runs it at a time; `allJobs.ts` names it.
 *
 * ```ts
 * import { drain } from "../lib/batches.ts"
 * import type { Job } from "./job.ts"
 *
 * declare const purgeSome: (before: Date) => Promise<number>
 *
 * export const purgeDrafts: Job = {
 *   name: "purge_drafts",
 *   everySeconds: 3_600,
 *   run: async ({ now }, signal) => {
 *     const before = new Date(now() - 30 * 86_400_000)
 *     return { drafts: await drain(signal, () => purgeSome(before)) }
 *   },
 * }
 * ```
 */
export type Job = {
  /** Its row in the table of jobs; never renamed. */
  name: string
  /** Seconds from the end of one run to the next. */
  everySeconds: number
  /** One run. It stops early when `signal` aborts, and may be repeated at any time. */
  run(deps: JobDeps, signal: AbortSignal): Promise<JobCounts>
}
