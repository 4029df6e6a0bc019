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

/**
 * Finds the first event after another one. Returns undefined when there is none yet. Replies of the team are
 * events for as long as the result is kept, others for a day.
 */
export async function findNextEvent(
  db: Db,
  { resultId, sessionId, after }: ChatIds & { after: string },
): Promise<SessionEvent | undefined> {
  const text = `(select id, type, data::text as data from session_events
where result_id = $1 and session_id = $2 and id > $3 order by id limit 1)
union all
(select id, 'conversation.reply', (message - 'isTeam' || jsonb_build_object('id', id))::text
from kept_messages
where result_id = $1 and session_id = $2 and id > $3 and message ? 'isTeam' order by id limit 1)
order by id limit 1`
  const values = [resultId, sessionId, after]
  const [event] = await db.run<SessionEvent>({ name: "find_next_event", text }, values)
  return event
}

/** Lists those of the results that have recent events. */
export async function listRecentEvents(db: Db, resultIds: readonly string[]) {
  const recent = (table: string) => `select result_id as "resultId" from ${table}
where result_id = any($1) and created_at > now() - interval '5 minutes'`
  const text = `${recent("session_events")} union ${recent("kept_messages")}`
  return await db.run<{ resultId: string }>({ name: "list_recent_events", text }, [[...resultIds]])
}
