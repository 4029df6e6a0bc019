/** Events that were not handed out yet: written in the transaction of their cause, taken by one process at a time. */
import { sql } from "kysely"
import { toJsonb } from "../chats/sessions.ts"
import { failureOf } from "../connection/databaseFailures.ts"
import { readAnswering } from "../connection/nodes.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { Row } from "../schema/tables.ts"
import { addToTallies } from "./storedEvents.ts"

/** An event that was taken from the outbox, and the length of its payload. */
export type TakenEvent = Row<"outbox"> & { bytes: number }

/** An event of a bot, which has no result: a UUID is in place of its id. */
export type BotEventRow = Pick<Row<"outbox">, "id" | "workspaceId" | "botId" | "type"> & {
  routeId: string
  payload: object
}

/** Writes an event in the transaction of its change of a bot. */
export async function insertBotEvent(locked: Source, event: BotEventRow): Promise<void> {
  const { routeId: resultId, payload, ...row } = event
  await locked.kysely
    .insertInto("outbox")
    .values({ ...row, resultId, payload: toJsonb(payload) })
    .execute()
}

/** Takes events out of the outbox, in the transaction that hands them out. */
type TakeEvents = (source: Source) => Promise<TakenEvent[]>

/**
 * How many events to take at most, after how many bytes no more, and whose are left: those of workspaces that
 * these users have created.
 */
type Taking = { limit: number; maxBytes: number; withoutCreators: readonly string[] }

/**
 * Finds out whether events wait to be handed out; usually none does. Returns how to take the oldest, or
 * undefined. When a node of a cluster does not answer, those are the oldest of the others.
 */
export async function findEvents(db: Db, taking: Taking): Promise<TakeEvents | undefined> {
  try {
    const waiting = await db.kysely.selectFrom("outbox").select("id").limit(1).executeTakeFirst()
    return waiting && ((source) => takeEvents(source, taking))
  } catch (error) {
    if (failureOf(error) !== "partial") throw error
    const keys = await listAnsweringEvents(db, taking)
    return keys.length === 0 ? undefined : (source) => takeListedEvents(source, keys)
  }
}

/** Removes the oldest events from the outbox, up to the one that exceeds `maxBytes`, and returns them. */
async function takeEvents({ kysely }: Source, { limit, maxBytes, withoutCreators }: Taking) {
  const ofOthers = sql`left join workspaces w on w.id = o.workspace_id
          where coalesce(w.creator_id, o.workspace_id) <> all(${[...withoutCreators]}::text[])`
  // Waits for rows that another process is taking, which are then gone.
  const { rows } = await sql<TakenEvent>`
    delete from outbox where (result_id, id) in (
      select result_id, id from (
        select result_id, id, sum(octet_length(payload::text)) over (
          order by created_at, result_id, sequence, id
          rows between unbounded preceding and 1 preceding) as bytes_before
        from (
          select o.* from outbox o ${withoutCreators.length > 0 ? ofOthers : sql``}
          order by o.created_at, o.result_id, o.sequence limit ${sql.lit(limit)}
        ) oldest
      ) measured
      where bytes_before is null or bytes_before < ${sql.lit(maxBytes)})
    returning result_id as "resultId", id, workspace_id as "workspaceId", bot_id as "botId", type,
      sequence, payload, created_at as "createdAt",
      octet_length(payload::text) as bytes`.execute(kysely)
  return rows.sort(byTime)
}

/** Names an event, with the length of its payload. */
type OutboxKey = { resultId: string; id: string; bytes: number; createdAt: string }

/** Lists the oldest events of the shards that answer, up to the one that exceeds `maxBytes`. */
async function listAnsweringEvents(source: Source, { limit, maxBytes, withoutCreators }: Taking) {
  const left = await listCreated(source, withoutCreators)
  const ofOthers = left.length > 0 ? `where workspace_id not in (${left.map(quoted).join()})` : ""
  const keys = await readAnswering<OutboxKey>(
    source,
    ["outbox"],
    `select result_id as "resultId", id, octet_length(payload::text) as bytes, created_at as "createdAt"
from %1$s ${ofOthers} order by created_at, result_id, sequence limit ${limit}`,
  )
  // Events of one result are in one shard, in order already.
  const sorted = keys.sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
  let bytesBefore = 0
  return sorted.slice(0, limit).filter(({ bytes }) => {
    const isTaken = bytesBefore < maxBytes
    bytesBefore += bytes
    return isTaken
  })
}

/** An id as a literal in a query that is also a format. */
function quoted(id: string): string {
  return `'${id.replaceAll("'", "''").replaceAll("%", "%%")}'`
}

/** Lists the workspaces that users have created. */
async function listCreated({ kysely }: Source, creatorIds: readonly string[]): Promise<string[]> {
  if (creatorIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from workspaces
    where coalesce(creator_id, id) = any(${[...creatorIds]}::text[])`.execute(kysely)
  return rows.map(({ id }) => id)
}

/** Lists the creators of workspaces, by workspace; a workspace without one is its own. */
export async function listCreators({ kysely }: Source, workspaceIds: readonly string[]) {
  const rows = await kysely
    .selectFrom("workspaces")
    .select(["id", "creatorId"])
    .where("id", "in", workspaceIds)
    .execute()
  return new Map(rows.map(({ id, creatorId }) => [id, creatorId ?? id]))
}

/** Deletes events from the outbox, and returns those that no other process has taken. */
async function takeListedEvents({ kysely }: Source, keys: readonly OutboxKey[]) {
  // As literals, by which a cluster leaves out the shards that none of them is in.
  const listed = (member: "resultId" | "id") => sql.join(keys.map((key) => sql.lit(key[member])))
  const { rows } = await sql<TakenEvent>`
    delete from outbox where result_id in (${listed("resultId")}) and id in (${listed("id")})
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

/** An event to hand out; deliveries begin in the order of their ids. */
type HandedEvent = {
  event: TakenEvent
  body: string
  to: readonly { endpointId: string; id: string }[]
}

/** Storage of a body with its indexes, and of a delivery with its own and a stored answer. */
const rowBytes = { body: 250, delivery: 1_500 }

/**
 * Stores the deliveries of events, and adds what they take to the tallies of their workspaces. A body is
 * stored once: there may be a hundred recipients.
 */
export async function insertDeliveries(source: Source, handed: readonly HandedEvent[]) {
  const { kysely } = source
  const bodies = handed.map(({ event: { id, resultId, workspaceId }, body, to }) => {
    const bytes = Buffer.byteLength(body) + rowBytes.body + to.length * rowBytes.delivery
    return { id, resultId, workspaceId, body, bytes }
  })
  await kysely.insertInto("eventBodies").values(bodies).execute()
  await addToTallies(source, bodies)
  const events = handed.map(({ event: { id: eventId, resultId, type }, to }) => {
    return { eventId, resultId, type, to }
  })
  await sql`insert into deliveries (endpoint_id, id, event_id, result_id, type, next_at)
    select d->>'endpointId', (d->>'id')::uuid, (e->>'eventId')::uuid, (e->>'resultId')::uuid,
      e->>'type', now()
    from jsonb_array_elements(${toJsonb(events)}::jsonb) as e
    cross join lateral jsonb_array_elements(e->'to') as d`.execute(kysely)
}
