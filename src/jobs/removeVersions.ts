/** Deletes old drafts that restores replaced; what was live or kept on request stays. */
import { recordMissing } from "../db/bots/publications.ts"
import { purgeReplacedDrafts } from "../db/results/purge.ts"
import { dayMs, drain, type Job } from "./job.ts"

const replacedDays = 400

/** Drafts that were replaced 400 days ago, and that were neither published nor kept on request since. */
export const removeVersionsJob: Job = {
  name: "remove_versions",
  everySeconds: 24 * 3_600,
  async run({ db, now }, signal) {
    // Before anything is deleted: what the history names stays.
    await recordMissing(db)
    const before = new Date(now() - replacedDays * dayMs)
    return { versions: await drain(signal, () => purgeReplacedDrafts(db, before)) }
  },
}
