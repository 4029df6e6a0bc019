/** Events for clients that listen to sessions, in the order in which they happened. */
import type { Db } from "../connection/openDatabase.ts"
import type { ChatIds } from "./sessions.ts"

/** An event for a client. */
export type SessionEvent = {
  id: string
  type: string
  /** JSON text in one line, which may be some megabytes long. */
  data: string
}

/** Finds the first event after another one. Returns undefined when there is none yet. */
export async function findNextEvent(
  db: Db,
  { resultId, sessionId, after }: ChatIds & { after: string },
): Promise<SessionEvent | undefined> {
  const text = `select id, type, data::text as data from session_events
where result_id = $1 and session_id = $2 and id > $3 order by id limit 1`
  const values = [resultId, sessionId, after]
  const [event] = await db.run<SessionEvent>({ name: "find_next_event", text }, values)
  return event
}

/** Lists those of the results that have recent events, each with its latest. */
export async function listRecentEvents(db: Db, resultIds: readonly string[]) {
  type Recent = { resultId: string; latest: string }
  const text = `select result_id as "resultId", max(id::text) as latest from session_events
where result_id = any($1) and created_at > now() - interval '5 minutes' group by result_id`
  return await db.run<Recent>({ name: "list_recent_events", text }, [[...resultIds]])
}
