/** Events that are yet to be handed out: written with what caused them, taken by one process at a time. */
import { sql } from "kysely"
import { newUuid } from "../../ids.ts"
import { toJsonb } from "../chats/sessions.ts"
import type { Db, Source } from "../connection/open.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { Row } from "../schema/tables.ts"
import { listActiveEndpoints, type Subscription } from "./endpoints.ts"

/** An event that was taken from the outbox. */
export type TakenEvent = Row<"outbox">

/** An event of a bot, which has no result. */
export type BotEventRow = {
  /** Two UUIDs: of the event, and one in place of a result's. */
  id: string
  routeId: string
  workspaceId: string
  botId: string
  type: string
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

/** How events become deliveries. */
export type HandOut = {
  limit: number
  /** What every endpoint gets of an event. */
  bodyOf(event: TakenEvent, publicId: string | undefined): string
}

/** Bytes of events after which no more are taken: one may be megabytes long, a statement at most 256 MB. */
const mostBytes = 1_000_000

/**
 * Takes the oldest events and writes their deliveries, in one transaction. Returns whether there may
 * be more.
 */
export async function handOut(db: Db, { limit, bodyOf }: HandOut): Promise<boolean> {
  // Usually there is nothing, and one statement shows that.
  const waiting = await db.kysely.selectFrom("outbox").select("id").limit(1).executeTakeFirst()
  if (waiting === undefined) return false
  return await inTransaction(db, async (kysely) => {
    const events = await takeEvents({ kysely }, limit)
    if (events.length === 0) return false
    const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))]
    const endpoints = await listActiveEndpoints({ kysely }, workspaceIds)
    const publicIds = await listPublicIds({ kysely }, events)
    const handed = events.flatMap((event) => {
      const recipients = endpoints.filter((endpoint) => isWantedBy(endpoint, event))
      if (recipients.length === 0) return []
      const to = recipients.map(({ id: endpointId }) => ({ endpointId, id: newUuid() }))
      return { event, to, body: bodyOf(event, publicIds.get(event.botId)) }
    })
    if (handed.length > 0) await insertDeliveries({ kysely }, handed)
    const taken = events.reduce((sum, { bytes }) => sum + bytes, 0)
    return events.length === limit || taken >= mostBytes
  })
}

async function takeEvents({ kysely }: Source, limit: number) {
  // Rows that another process is taking are waited for, and then no longer there.
  const { rows } = await sql<TakenEvent & { bytes: number }>`
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

async function listPublicIds(
  { kysely }: Source,
  events: readonly TakenEvent[],
): Promise<Map<string, string | undefined>> {
  const rows = await kysely
    .selectFrom("bots")
    .select(["id", "publicId"])
    .where("id", "in", [...new Set(events.map(({ botId }) => botId))])
    .execute()
  return new Map(rows.map(({ id, publicId }) => [id, publicId ?? undefined]))
}

function isWantedBy(
  { workspaceId, types, botIds }: Subscription,
  event: Pick<TakenEvent, "workspaceId" | "botId" | "type">,
): boolean {
  const isForBot = botIds === null || botIds.includes(event.botId)
  return workspaceId === event.workspaceId && isForBot && types.includes(event.type)
}

/** An event on its way to its recipients, whose deliveries begin in the order of their ids. */
type HandedEvent = {
  event: TakenEvent
  body: string
  to: readonly { endpointId: string; id: string }[]
}

/** The body of an event is stored once: there may be a hundred recipients. */
async function insertDeliveries({ kysely }: Source, handed: readonly HandedEvent[]): Promise<void> {
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
