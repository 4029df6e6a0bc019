/** Deletes chats that never got an answer, after their short life. */
import { chatScopeOf } from "../chat/uploads/uploadBounds.ts"
import {
  deleteUnanswered,
  emptyUnanswered,
  listUnanswered,
  type UnansweredSession,
} from "../db/chats/unanswered.ts"
import { listCounted } from "../db/chats/uploads.ts"
import { firstUuidAt } from "../ids.ts"
import type { Job, JobDeps } from "./job.ts"

// Only chats whose time ended recently are looked at, not all live ones: what is missed while the job
// does not run expires with the sessions, after 48 hours.
const reachMs = 3 * 3_600_000

/** Sessions whose time for a first answer is over, with their files, logs and values. */
export const purgeUnansweredJob: Job = {
  name: "purge_unanswered",
  everySeconds: 900,
  async run(deps, signal) {
    const endMs = deps.now() - deps.unansweredMs
    const beforeId = firstUuidAt(endMs)
    let sessions = 0
    let after = { resultId: firstUuidAt(endMs - reachMs), id: "" }
    for (;;) {
      signal.throwIfAborted()
      const batch = await listUnanswered(deps.db, { after, beforeId })
      const last = batch.at(-1)
      if (last === undefined) return { sessions }
      sessions += await remove(deps, batch)
      after = last
    }
  },
}

async function remove(
  { db, files }: JobDeps,
  sessions: readonly UnansweredSession[],
): Promise<number> {
  const count = await deleteUnanswered(db, sessions)
  const resultIds = sessions.map(({ resultId }) => resultId)
  const emptied = await emptyUnanswered(db, resultIds)
  // To ask an object store about each of these chats would take hours.
  const scopes = new Map(sessions.map(({ resultId, id }) => [resultId, chatScopeOf(id)]))
  const counted = await listCounted(db, [...scopes.values()])
  for (const result of emptied) {
    if (counted.has(scopes.get(result.resultId) ?? "")) await files.removeResult(result)
  }
  return count
}
