/** Deletes versions that nothing refers to any more. */
import {
  batchSize,
  deleteVersions,
  isVersionRecorded,
  listSupersededVersions,
  listVersionsInUse,
  type SupersededVersion,
} from "../db/results/purge.ts"
import { firstUuidAt } from "../shared/ids.ts"
import { dayMs, type Job, type JobDeps } from "./job.ts"

const supersededDays = 30
const leastUuid = "00000000-0000-0000-0000-000000000000"

/** Versions that were replaced 30 days ago, and that no chat runs and no result was recorded on. */
export const removeVersionsJob: Job = {
  name: "remove_versions",
  everySeconds: 24 * 3_600,
  async run(deps, signal) {
    const before = new Date(deps.now() - supersededDays * dayMs)
    let versions = 0
    let afterId = leastUuid
    for (;;) {
      const candidates = await listSupersededVersions(deps.db, { before, afterId })
      versions += await removeUnused(deps, candidates, { before, signal })
      const last = candidates.at(-1)
      if (last === undefined || candidates.length < batchSize) return { versions }
      afterId = last.id
    }
  },
}

async function removeUnused(
  { db }: JobDeps,
  candidates: readonly SupersededVersion[],
  { before, signal }: { before: Date; signal: AbortSignal },
): Promise<number> {
  const unrecorded: string[] = []
  for (const { id: versionId, botId, createdAt } of candidates) {
    signal.throwIfAborted()
    const fromId = firstUuidAt(createdAt.getTime())
    if (!(await isVersionRecorded(db, { botId, versionId, fromId }))) unrecorded.push(versionId)
  }
  if (unrecorded.length === 0) return 0
  const inUse = new Set(await listVersionsInUse(db, unrecorded, before))
  const unused = unrecorded.filter((id) => !inUse.has(id))
  return unused.length === 0 ? 0 : await deleteVersions(db, unused)
}
