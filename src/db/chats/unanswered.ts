/** Purges chats that never got an answer, but keeps the record that their bots were viewed. */
import { sql } from "kysely"
import { batchSize } from "../../lib/batches.ts"
import type { Db } from "../connection/openDatabase.ts"
import type { ResultOfChat } from "../results/resultAddress.ts"
import { anyText, anyUuid } from "../schema/anyOf.ts"

/** A session that expired without an answer, as it was found. */
export type UnansweredSession = { resultId: string; id: string; revision: number }

/**
 * Lists expired sessions after one, of results before an id, at most a batch. Those with a lifetime of their
 * own are left to their timers, which record how they ended; quotes within values are escaped in a state.
 */
export async function listUnanswered(
  db: Db,
  { after, beforeId }: { after: Pick<UnansweredSession, "resultId" | "id">; beforeId: string },
): Promise<UnansweredSession[]> {
  const { rows } = await sql<UnansweredSession>`
    select result_id, id, revision from chat_sessions
    where (result_id, id) > (${after.resultId}, ${after.id}) and result_id < ${beforeId}
      and expires_at < now() and (claimed_until is null or claimed_until < now())
      and state not like '%"isLasting":true%'
    order by result_id, id limit ${sql.lit(batchSize)}`.execute(db.kysely)
  return rows
}

/** Purges sessions unless they have moved on. Returns the ids of the purged ones. */
export async function purgeUnansweredSessions(db: Db, sessions: readonly UnansweredSession[]) {
  const resultIds = sessions.map(({ resultId }) => resultId)
  const ids = sessions.map(({ id }) => id)
  const revisions = sessions.map(({ revision }) => revision)
  const { rows } = await sql<{ id: string }>`
    delete from chat_sessions where expires_at < now() and (result_id, id, revision) in (
      select * from unnest(${resultIds}::uuid[], ${ids}::text[], ${revisions}::int[])
    ) returning id`.execute(db.kysely)
  return rows.map(({ id }) => id)
}

/** Results of linked bots, and the chats that are over of which one must have written to them. */
type LinkedResults = { resultIds: readonly string[]; sessionIds: readonly string[] }

/**
 * Empties those of some results that were never answered and have no running chat. The view and the
 * edges taken stay for statistics; variables, logs and what was shown go. Returns the results whose
 * files may go, too.
 */
export async function emptyUnanswered(db: Db, resultIds: readonly string[], linked: LinkedResults) {
  const { rows } = await sql<ResultOfChat>`
    update results set variables = '[]'
    where (result_id = ${anyUuid(resultIds)} or result_id = ${anyUuid(linked.resultIds)}
        and last_chat_session_id = ${anyText(linked.sessionIds)})
      and not has_started and not exists (
        select from chat_sessions where chat_sessions.result_id = results.result_id
    ) returning result_id, bot_id, last_chat_session_id`.execute(db.kysely)
  const empty = anyUuid(rows.map(({ resultId }) => resultId))
  await sql`delete from logs where result_id = ${empty}`.execute(db.kysely)
  await sql`update result_steps set set_variables = null, shown = null
    where result_id = ${empty} and (set_variables is not null or shown is not null)`.execute(
    db.kysely,
  )
  return rows
}
