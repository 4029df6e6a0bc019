/** What a job is and what it works with. */

import type { Db } from "../db/connection/open.ts"
import { batchSize } from "../db/results/purge.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import type { Log } from "../shared/log.ts"
import type { PlanLimits } from "../shared/plans.ts"

/** What every job is given. */
export type JobParts = {
  /** Connections that chats do not wait for. */
  db: Db
  log: Log
  /** Removes files of chats that are deleted. */
  files: Pick<FileStore, "removeResult" | "removeBot" | "removePreviews">
  planLimits: PlanLimits
  /** Time that chats have for their first answer. */
  unansweredMs: number
  /** Days after which recorded conversations are deleted; absent: never. */
  resultRetentionDays?: number | undefined
  /** The database's clock, in milliseconds since 1970. */
  now(): number
}

/** What a run did, by kind of thing. */
export type JobCounts = Readonly<Record<string, number>>

/** A job that recurs. */
export type Job = {
  /** Its row in the table of jobs; never renamed. */
  name: string
  everySeconds: number
  /** Does what is to be done. It stops early when `signal` aborts, and may be repeated at any time. */
  run(parts: JobParts, signal: AbortSignal): Promise<JobCounts>
}

/** Milliseconds of a day. */
export const dayMs = 86_400_000

/** Repeats a purge until it finds less than a batch; returns how many rows went. */
export async function drain(signal: AbortSignal, purge: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const count = await purge()
    total += count
    if (count < batchSize) return total
  }
}
