/** The contract of jobs. */

import type { Db } from "../db/connection/open.ts"
import { batchSize } from "../db/results/purge.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import type { PlanLimits } from "../plans.ts"
import type { Log } from "../telemetry/log.ts"
import type { Metrics } from "../telemetry/metrics.ts"

/** What every job works with. */
export type JobDeps = {
  /** Connections that chats do not wait for. */
  db: Db
  log: Log
  /** Removes files of deleted chats. */
  files: Pick<FileStore, "removeResult" | "removeBot" | "removePreviews">
  planLimits: PlanLimits
  /** Shows in the metrics how many workspaces are near their limit of chats. */
  showQuota: Metrics["showQuota"]
  /** How long chats may wait for their first answer. */
  unansweredMs: number
  /** Days after which recorded conversations are deleted; absent: never. */
  resultRetentionDays?: number | undefined
  /** The database's clock, in milliseconds since 1970. */
  now(): number
}

/** How many things a run has dealt with, by kind. */
export type JobCounts = Readonly<Record<string, number>>

/** A recurring job. */
export type Job = {
  /** Its row in the table of jobs; never renamed. */
  name: string
  everySeconds: number
  /** One run. It stops early when `signal` aborts, and may be repeated at any time. */
  run(deps: JobDeps, signal: AbortSignal): Promise<JobCounts>
}

/** Milliseconds of a day. */
export const dayMs = 86_400_000

/** Repeats a purge until it finds less than a batch; returns the number of deleted rows. */
export async function drain(signal: AbortSignal, purge: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const count = await purge()
    total += count
    if (count < batchSize) return total
  }
}

/** Works on items, so many at a time, and starts no further ones after a failure, which it throws. */
export async function forEachOf<Item>(
  items: AsyncIterable<Item> | Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // The workers share it: each takes the next item.
  const queue = Array.isArray(items) ? items.values() : items[Symbol.asyncIterator]()
  let failure: { error: unknown } | undefined
  const worker = async () => {
    try {
      for (;;) {
        const { done, value } = await queue.next()
        if (done || failure) return
        await work(value)
      }
    } catch (error) {
      failure ??= { error }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failure) throw failure.error
}
