/** Deliveries of events to endpoints: due ones, outcomes of attempts, lists, repetitions. */
import { sql } from "kysely"
import { toJsonb } from "../chats/sessions.ts"
import type { Db } from "../connection/openDatabase.ts"
import { anyUuid } from "../schema/anyOf.ts"
import type { DeliveryState } from "../schema/eventTables.ts"
import type { Row } from "../schema/tables.ts"
import type { EndpointRow } from "./endpoints.ts"

/** A stored delivery, without its body, which may have some megabytes. */
export type DeliveryRow = Omit<Row<"deliveries">, "body">

/** A delivery to be attempted, with its endpoint. */
export type DueDelivery = Pick<
  DeliveryRow,
  "endpointId" | "id" | "eventId" | "resultId" | "attempts"
> &
  Pick<EndpointRow, "url" | "data" | "nonce" | "keyId"> & {
    /** Whether the last attempt at the endpoint has failed. */
    isFailing: boolean
    /** Length of its body. */
    bytes: number
    /** Who created its workspace, which is the workspace itself if no user is known. */
    creatorId: string
  }

/** How many deliveries to list, and which to leave out. */
type Room = {
  /** Max deliveries, in all and per endpoint. */
  limit: number
  perEndpoint: number
  /** Endpoints that have enough under way. */
  busy: readonly string[]
  /** Endpoint and result of what is under way, with a space between them. */
  underWay: readonly string[]
}

/**
 * Lists what is due. Creators of workspaces take turns, and within each the oldest of every endpoint comes
 * before the second of any, and healthy endpoints first. Now is rounded to milliseconds as stored times are,
 * or it might be before them.
 */
export async function listDue({ kysely }: Db, { limit, perEndpoint, busy, underWay }: Room) {
  const { rows } = await sql<DueDelivery>`
    select e.id as "endpointId", e.url, e.data, e.nonce, e.key_id as "keyId",
      e.failing_since is not null as "isFailing", d.id, d.event_id as "eventId",
      d.result_id as "resultId", octet_length(coalesce(d.body, b.body)) as bytes, d.attempts,
      coalesce(w.creator_id, w.id) as "creatorId"
    from webhook_endpoints e
    join workspaces w on w.id = e.workspace_id
    cross join lateral (
      select *, row_number() over (order by next_at, id) as place
      from (
        select * from deliveries
        where endpoint_id = e.id and state = 'pending' and next_at <= now()::timestamptz(3)
          and endpoint_id || ' ' || result_id <> all(${underWay}::text[])
        order by next_at, id limit ${perEndpoint}
      ) oldest
    ) d
    left join event_bodies b on b.id = d.event_id
    where e.is_enabled and e.url is not null and e.id <> all(${busy}::text[])
    order by row_number() over (
        partition by coalesce(w.creator_id, w.id)
        order by d.place, e.failing_since is not null, d.next_at, d.id),
      e.failing_since is not null, d.next_at, d.id
    limit ${limit}`.execute(kysely)
  return rows
}

/** More are not counted of one endpoint. */
const maxCounted = 1_000

/**
 * Counts the deliveries to be made now and later, and those that have waited for longer than so many
 * seconds. Endpoints that are disabled wait for their author.
 */
export async function countPending(
  { kysely }: Db,
  longSeconds: number,
): Promise<{ due: number; later: number; overdue: number }> {
  const { rows } = await sql<{ due: number; later: number; overdue: number }>`
    select count(*) filter (where d.next_at <= now()) as due,
      count(*) filter (where d.next_at > now()) as later,
      count(*) filter (where d.next_at < now() - make_interval(secs => ${longSeconds})) as overdue
    from webhook_endpoints e
    cross join lateral (
      select next_at from deliveries where endpoint_id = e.id and state = 'pending'
      order by next_at limit ${sql.lit(maxCounted)}
    ) d
    where e.is_enabled and e.url is not null`.execute(kysely)
  return rows[0] ?? { due: 0, later: 0, overdue: 0 }
}

/** Reads the bodies of deliveries by id, without those that are gone. */
export async function readBodies(
  db: Db,
  deliveries: readonly Pick<DueDelivery, "endpointId" | "id">[],
): Promise<Map<string, string>> {
  if (deliveries.length === 0) return new Map()
  const endpointIds = deliveries.map(({ endpointId }) => endpointId)
  const ids = deliveries.map(({ id }) => id)
  const { rows } = await sql<{ id: string; body: string }>`
    select d.id, coalesce(d.body, b.body) as body
    from deliveries d left join event_bodies b on b.id = d.event_id
    where (d.endpoint_id, d.id) in (
      select * from unnest(${endpointIds}::text[], ${ids}::uuid[]))
      and (d.body is not null or b.id is not null)`.execute(db.kysely)
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** The outcome of an attempt, and how many there were before it. */
export type Attempt = Pick<
  DeliveryRow,
  "endpointId" | "id" | "attempts" | "state" | "status" | "answer" | "error"
> & {
  durationMs: number
  /** Time to the next attempt; null: this was the last. */
  nextSeconds: number | null
}

/** Stores the outcomes of attempts, unless another process has made them meanwhile. */
export async function saveAttempts(db: Db, attempts: readonly Attempt[]): Promise<void> {
  await sql`
    update deliveries d set
      attempts = a.attempts + 1, attempted_at = now(), next_at = a.next_at, state = a.state,
      status = a.status, duration_ms = a."durationMs", answer = a.answer, error = a.error
    from (
      select *, now() + make_interval(secs => "nextSeconds") as next_at
      from jsonb_to_recordset(${toJsonb(attempts)}::jsonb) as made(
        "endpointId" text, id uuid, attempts int, state text, "nextSeconds" float8, status int,
        "durationMs" int, answer text, error text)
    ) a
    where d.endpoint_id = a."endpointId" and d.id = a.id and d.attempts = a.attempts`.execute(
    db.kysely,
  )
}

/** Which part of an endpoint's deliveries to list. */
type DeliveryListing = {
  endpointId: string
  state?: DeliveryState | undefined
  /** Id of the last one before. */
  before?: string | undefined
  limit: number
}

const shownColumns = [
  "endpointId",
  "id",
  "eventId",
  "resultId",
  "type",
  "state",
  "attempts",
  "nextAt",
  "attemptedAt",
  "status",
  "durationMs",
  "createdAt",
] as const

/** Longer than any answer or error that this release stores; those of earlier ones may be megabytes long. */
const maxListed = 2_100

export async function listDeliveries(
  db: Db,
  { endpointId, state, before, limit }: DeliveryListing,
): Promise<DeliveryRow[]> {
  const begun = (column: string) =>
    sql<string | null>`left(${sql.ref(column)}, ${sql.lit(maxListed)})`
  let query = db.kysely
    .selectFrom("deliveries")
    .select(shownColumns)
    .select([begun("answer").as("answer"), begun("error").as("error")])
    .where("endpointId", "=", endpointId)
    .orderBy("id", "desc")
    .limit(limit)
  if (state !== undefined) query = query.where("state", "=", state)
  if (before !== undefined) query = query.where("id", "<", before)
  return await query.execute()
}

/** One delivery of an endpoint, or those of a range of ids. */
type DeliveriesToRepeat =
  | { endpointId: string; id: string }
  | { endpointId: string; fromId: string; beforeId: string }

/** Queues deliveries again, as before their first attempt. Returns how many. */
export async function redeliver(db: Db, which: DeliveriesToRepeat): Promise<number> {
  let query = db.kysely
    .updateTable("deliveries")
    .set({ state: "pending", attempts: 0, nextAt: sql<Date>`now()` })
    .where("endpointId", "=", which.endpointId)
  query =
    "id" in which
      ? query.where("id", "=", which.id)
      : query.where("id", ">=", which.fromId).where("id", "<", which.beforeId)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Approximate max bytes per fetch of a listener, which gets at least one event. */
const maxFetchedBytes = 4_000_000

/** Lists the events that wait for a listener, in order. */
export async function listWaiting(
  db: Db,
  { endpointId, limit }: { endpointId: string; limit: number },
): Promise<{ id: string; eventId: string; body: string }[]> {
  const { rows } = await sql<{ id: string; eventId: string; body: string }>`
    select id, event_id, body from (
      select id, event_id, body, sum(octet_length(body)) over (
        order by id rows between unbounded preceding and 1 preceding) as bytes_before
      from (
        select d.id, d.event_id, coalesce(d.body, b.body) as body
        from deliveries d left join event_bodies b on b.id = d.event_id
        where d.endpoint_id = ${endpointId} order by d.id limit ${limit}
      ) oldest
    ) measured
    where bytes_before is null or bytes_before < ${maxFetchedBytes}
    order by id`.execute(db.kysely)
  return rows
}

/** Deletes the fetched deliveries of a listener. */
export async function deleteFetched(
  db: Db,
  { endpointId, ids }: { endpointId: string; ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return
  await db.kysely
    .deleteFrom("deliveries")
    .where("endpointId", "=", endpointId)
    .where("id", "=", anyUuid(ids))
    .execute()
}
