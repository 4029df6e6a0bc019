/** Events for clients that listen to sessions, in the order in which they happened. */

import type { Statement } from "../connection/hotQuery.ts"
import type { Db } from "../connection/open.ts"
import type { SessionAddress } from "./sessions.ts"

/** An event for a client. */
export type SessionEvent = { id: string; type: string; data: object }

/** The read of the events that a client has not got yet. */
export const listSessionEventsStatement: Statement = {
  name: "list_session_events",
  text: `select id, type, data from session_events
where result_id = $1 and session_id = $2 and id > $3 order by id limit 100`,
}

/** Lists what came after an event, oldest first. */
export async function listSessionEvents(
  db: Db,
  { resultId, id, after }: SessionAddress & { after: string },
): Promise<SessionEvent[]> {
  return await db.run<SessionEvent>(listSessionEventsStatement, [resultId, id, after])
}

/** The read of which results have news. */
export const listToldStatement: Statement = {
  name: "list_told",
  text: `select result_id as "resultId", max(id::text) as latest from session_events
where result_id = any($1) and created_at > now() - interval '5 minutes' group by result_id`,
}

/** Lists those of the results that have recent events, each with its latest. */
export async function listTold(
  db: Db,
  resultIds: readonly string[],
): Promise<{ resultId: string; latest: string }[]> {
  return await db.run(listToldStatement, [[...resultIds]])
}
