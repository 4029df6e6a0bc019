/** Purges chats that never got an answer, after their short life. */
import {
  emptyUnanswered,
  listUnanswered,
  purgeUnansweredSessions,
  type UnansweredSession,
} from "../../db/chats/unanswered.ts"
import { closeUploads } from "../../db/chats/uploads.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { inTransaction } from "../../db/connection/transactions.ts"
import { listLinkedIds } from "../../db/results/erasure.ts"
import type { FileStore } from "../../effects/files/fileStore.ts"
import { firstUuidAt } from "../../lib/ids.ts"

type Deps = {
  db: Db
  files: Pick<FileStore, "deleteResultFiles">
  /** How long chats may wait for their first answer. */
  unansweredMs: number
  now(): number
}

/**
 * Only recently expired chats are read, not all live ones: those missed while no job runs expire with
 * the sessions, after 48 hours.
 */
const reachMs = 3 * 3_600_000

/** Purges sessions without a first answer in time, with their files, logs and values. */
export async function purgeUnanswered(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ sessions: number }> {
  const endMs = deps.now() - deps.unansweredMs
  const beforeId = firstUuidAt(endMs)
  let sessions = 0
  let after = { resultId: firstUuidAt(endMs - reachMs), id: "" }
  for (;;) {
    signal.throwIfAborted()
    const batch = await listUnanswered(deps.db, { after, beforeId })
    const last = batch.at(-1)
    if (last === undefined) return { sessions }
    sessions += await purge(deps, batch)
    after = last
  }
}

async function purge({ db, files }: Deps, sessions: readonly UnansweredSession[]): Promise<number> {
  // All or nothing: the rest of a session is found by it alone.
  const { count, uploaded } = await inTransaction(db, (kysely) =>
    purgeRows({ ...db, kysely }, sessions),
  )
  for (const { botId, resultId } of uploaded) await files.deleteResultFiles({ botId, resultId })
  return count
}

async function purgeRows(db: Db, sessions: readonly UnansweredSession[]) {
  const sessionIds = await purgeUnansweredSessions(db, sessions)
  const resultIds = sessions.map(({ resultId }) => resultId)
  // Before the rows that name them are emptied.
  const linked = { resultIds: await listLinkedIds(db, resultIds), sessionIds }
  const emptied = await emptyUnanswered(db, resultIds, linked)
  // Asking an object store about each of these chats would take hours.
  const idOf = new Map(sessions.map(({ resultId, id }) => [resultId, id]))
  const chats = emptied.map(({ lastChatSessionId, ...result }) => ({
    ...result,
    lastChatSessionId: idOf.get(result.resultId) ?? lastChatSessionId,
  }))
  return { count: sessionIds.length, uploaded: await closeUploads(db, chats) }
}
