/** Events that nobody has been sent yet: written with what caused them, taken by one process at a time. */
import { sql } from "kysely"
import { toJsonb } from "../chats/sessions.ts"
import type { Db, Source } from "../connection/open.ts"
import type { Row } from "../schema/tables.ts"

/** An event that was taken from the outbox, and the length of its payload. */
export type TakenEvent = Row<"outbox"> & { bytes: number }

/** An event of a bot, which has no result: a UUID is in place of its id. */
export type BotEventRow = Pick<Row<"outbox">, "id" | "workspaceId" | "botId" | "type"> & {
  routeId: string
  payload: object
}

/** Writes an event in the transaction of what happened to a bot. */
export async function insertBotEvent(locked: Source, event: BotEventRow): Promise<void> {
  const { routeId: resultId, payload, ...row } = event
  await locked.kysely
    .insertInto("outbox")
    .values({ ...row, resultId, payload: toJsonb(payload) })
    .execute()
}

/** Whether events wait to be handed out; usually none does. */
export async function hasEvents({ kysely }: Db): Promise<boolean> {
  const waiting = await kysely.selectFrom("outbox").select("id").limit(1).executeTakeFirst()
  return waiting !== undefined
}

/** Removes the oldest events from the outbox, up to the one that exceeds `mostBytes`, and returns them. */
export async function takeEvents(
  { kysely }: Source,
  { limit, mostBytes }: { limit: number; mostBytes: number },
): Promise<TakenEvent[]> {
  // Waits for rows that another process is taking, which are then gone.
  const { rows } = await sql<TakenEvent>`
    delete from outbox where (result_id, id) in (
      select result_id, id from (
        select result_id, id, sum(octet_length(payload::text)) over (
          order by created_at, result_id, sequence, id
          rows between unbounded preceding and 1 preceding) as bytes_before
        from (
          select * from outbox order by created_at, result_id, sequence limit ${sql.lit(limit)}
        ) oldest
      ) measured
      where bytes_before is null or bytes_before < ${sql.lit(mostBytes)})
    returning result_id as "resultId", id, workspace_id as "workspaceId", bot_id as "botId", type,
      sequence, payload, created_at as "createdAt",
      octet_length(payload::text) as bytes`.execute(kysely)
  return rows.sort(byTime)
}

function byTime(one: TakenEvent, other: TakenEvent): number {
  const time = one.createdAt.getTime() - other.createdAt.getTime()
  if (time !== 0) return time
  if (one.resultId !== other.resultId) return one.resultId < other.resultId ? -1 : 1
  return (one.sequence ?? 0) - (other.sequence ?? 0)
}

/** Lists the public ids of the bots of events, by the ids of the bots. */
export async function listPublicIds({ kysely }: Source, events: readonly TakenEvent[]) {
  const rows = await kysely
    .selectFrom("bots")
    .select(["id", "publicId"])
    .where("id", "in", [...new Set(events.map(({ botId }) => botId))])
    .execute()
  return new Map(rows.map(({ id, publicId }) => [id, publicId]))
}

/** An event on its way to its recipients, whose deliveries begin in the order of their ids. */
type HandedEvent = {
  event: TakenEvent
  body: string
  to: readonly { endpointId: string; id: string }[]
}

/** Stores the deliveries of events. A body is stored once: there may be a hundred recipients. */
export async function insertDeliveries({ kysely }: Source, handed: readonly HandedEvent[]) {
  const bodies = handed.map(({ event: { id, resultId }, body }) => ({ id, resultId, body }))
  await kysely.insertInto("eventBodies").values(bodies).execute()
  const events = handed.map(({ event: { id: eventId, resultId, type }, to }) => {
    return { eventId, resultId, type, to }
  })
  await sql`insert into deliveries (endpoint_id, id, event_id, result_id, type, next_at)
    select d->>'endpointId', (d->>'id')::uuid, (e->>'eventId')::uuid, (e->>'resultId')::uuid,
      e->>'type', now()
    from jsonb_array_elements(${toJsonb(events)}::jsonb) as e
    cross join lateral jsonb_array_elements(e->'to') as d`.execute(kysely)
}
