/** Events that are yet to be handed out: written with what happened, taken by one process in turn. */
import { sql } from "kysely"
import { toJsonb } from "../chats/sessions.ts"
import type { Db, Source } from "../connection/open.ts"
import { inTransaction } from "../connection/transactions.ts"
import { listActiveEndpoints, type Subscription } from "./endpoints.ts"

/** An event that was taken from the outbox. */
export type TakenEvent = {
  resultId: string
  id: string
  workspaceId: string
  botId: string
  type: string
  sequence: number | null
  payload: Record<string, unknown>
  createdAt: Date
}

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

/** A delivery that begins to wait. */
export type NewDelivery = {
  endpointId: string
  id: string
  eventId: string
  resultId: string
  type: string
  body: string
}

/** How events become deliveries. */
export type HandOut = {
  limit: number
  /** What each event is to each recipient, in the order in which deliveries begin. */
  deliveriesOf(
    event: TakenEvent,
    to: { publicId: string | undefined; recipients: { id: string }[] },
  ): NewDelivery[]
}

/**
 * Takes the oldest events and writes their deliveries, in one transaction. Returns how many events
 * there were: less than the limit when none is left.
 */
export async function handOut(db: Db, { limit, deliveriesOf }: HandOut): Promise<number> {
  // Mostly there is nothing, which one statement finds out.
  const waiting = await db.kysely.selectFrom("outbox").select("id").limit(1).executeTakeFirst()
  if (waiting === undefined) return 0
  return await inTransaction(db, async (kysely) => {
    const events = await takeEvents({ kysely }, limit)
    if (events.length === 0) return 0
    const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))]
    const endpoints = await listActiveEndpoints({ kysely }, workspaceIds)
    const publicIds = await listPublicIds({ kysely }, events)
    const deliveries = events.flatMap((event) => {
      const recipients = endpoints.filter((endpoint) => isWantedBy(endpoint, event))
      return deliveriesOf(event, { publicId: publicIds.get(event.botId), recipients })
    })
    if (deliveries.length > 0) await insertDeliveries({ kysely }, deliveries)
    return events.length
  })
}

async function takeEvents({ kysely }: Source, limit: number): Promise<TakenEvent[]> {
  // Rows that another process is taking are waited for, and then no longer there.
  const { rows } = await sql<TakenEvent>`
    delete from outbox where (result_id, id) in (
      select result_id, id from outbox order by created_at, result_id, sequence limit ${sql.lit(limit)})
    returning result_id as "resultId", id, workspace_id as "workspaceId", bot_id as "botId", type,
      sequence, payload, created_at as "createdAt"`.execute(kysely)
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

async function insertDeliveries(
  { kysely }: Source,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await sql`insert into deliveries
      (endpoint_id, id, event_id, result_id, type, body, next_at)
    select d->>'endpointId', (d->>'id')::uuid, (d->>'eventId')::uuid, (d->>'resultId')::uuid,
      d->>'type', d->>'body', now()
    from jsonb_array_elements(${toJsonb(deliveries)}::jsonb) as d`.execute(kysely)
}
