/** Holds a job that never ends: one process has it for as long as it renews its claim. */
import type { Db } from "../db/connection/openDatabase.ts"
import { claimJob, ensureJobs, finishJob, type JobClaim, renewJob } from "../db/jobs/jobs.ts"

/** Makes a job, whose name never changes, ready to be held. */
export function openHeldJob(db: Db, { name, by, seconds }: JobClaim) {
  let isKnown = false
  let isHeld = false
  let askAt = Number.NEGATIVE_INFINITY

  const take = async () => {
    if (!isKnown) await ensureJobs(db, [name])
    isKnown = true
    return (await claimJob(db, { names: [name], seconds, by })) === name
  }
  return {
    /** Whether this process has the job now; queries the database a few times per claim. */
    async hold() {
      const now = performance.now()
      if (now < askAt) return isHeld
      askAt = now + (seconds * 1_000) / 4
      isHeld = (await renewJob(db, { name, by, seconds })) || (await take())
      return isHeld
    },
    /** Lets another process have it. */
    async release() {
      if (isHeld) await finishJob(db, { name, by, afterSeconds: 0, error: null })
      isHeld = false
    },
  }
}
