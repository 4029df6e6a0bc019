/** The job that deletes chats which never got an answer, after the short life that they have. */
import { chatScopeOf } from "../chat/uploads/uploadBounds.ts"
import {
  deleteUnanswered,
  emptyUnanswered,
  listUnanswered,
  type UnansweredSession,
} from "../db/chats/unanswered.ts"
import { listCounted } from "../db/chats/uploads.ts"
import { firstUuidAt } from "../shared/ids.ts"
import type { Job, JobParts } from "./job.ts"

const everySeconds = 900

// Only chats that began a short while before their life ended are looked at, not all that are live:
// what is missed because the job stood still goes with the sessions of 48 hours.
const reachMs = 3 * 3_600_000

/** Sessions whose time for a first answer is over, with files, logs and values of theirs. */
export const purgeUnansweredJob: Job = {
  name: "purge_unanswered",
  everySeconds,
  async run(parts, signal) {
    const endMs = parts.now() - parts.unansweredMs
    const beforeId = firstUuidAt(endMs)
    let sessions = 0
    let after = { resultId: firstUuidAt(endMs - reachMs), id: "" }
    for (;;) {
      signal.throwIfAborted()
      const batch = await listUnanswered(parts.db, { after, beforeId })
      const last = batch.at(-1)
      if (last === undefined) return { sessions }
      sessions += await remove(parts, batch)
      after = last
    }
  },
}

async function remove(
  { db, files }: JobParts,
  sessions: readonly UnansweredSession[],
): Promise<number> {
  const count = await deleteUnanswered(db, sessions)
  const resultIds = sessions.map(({ resultId }) => resultId)
  const emptied = await emptyUnanswered(db, resultIds)
  // Asking an object store for every chat that nobody took up would take hours.
  const scopes = new Map(sessions.map(({ resultId, id }) => [resultId, chatScopeOf(id)]))
  const counted = await listCounted(db, [...scopes.values()])
  for (const result of emptied) {
    if (counted.has(scopes.get(result.resultId) ?? "")) await files.removeResult(result)
  }
  return count
}
