/** Holds a job that never ends: one process has it for as long as it renews its claim. */
import type { Db } from "../db/connection/openDatabase.ts"
import { claimJob, ensureJobs, finishJob, renewJob } from "../db/jobs/jobs.ts"

type JobToHold = {
  db: Db
  /** Its row in the table of jobs; never renamed. */
  name: string
  /** Name of this process. */
  by: string
  /** How long a claim lasts when it is not renewed. */
  seconds: number
}

/** Makes a job ready to be held. */
export function openHeldJob({ db, name, by, seconds }: JobToHold) {
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
