/** Reads and writes webhook endpoints, and listeners, which fetch their events themselves for a while. */
import { type NotNull, sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { DisabledReason } from "../schema/eventTables.ts"
import type { Row } from "../schema/tables.ts"

/** An endpoint as it is stored, its secret encrypted. */
export type EndpointRow = Row<"webhookEndpoints"> & {
  url: string
  data: Buffer
  nonce: Buffer
  keyId: number
}

/** Name of the check that every endpoint with an address has a secret. */
type WithAddress = { url: NotNull; data: NotNull; nonce: NotNull; keyId: NotNull }

type EndpointAddress = { workspaceId: string; endpointId: string }

/** Which events an endpoint wants. */
export type Subscription = Pick<EndpointRow, "workspaceId" | "types" | "botIds">

/** Conditions under which events are written for an endpoint, and delivered to it. */
const isActive = sql<boolean>`is_enabled and (expires_at is null or expires_at > now())`

/** Lists the subscriptions of all active endpoints. */
export async function listSubscriptions({ kysely }: Db): Promise<Subscription[]> {
  return await kysely
    .selectFrom("webhookEndpoints")
    .select(["workspaceId", "types", "botIds"])
    .where(isActive)
    .execute()
}

/** Returns a text that changes whenever the subscriptions do. */
export async function subscriptionsVersion({ kysely }: Db): Promise<string> {
  const { rows } = await sql<{ version: string | null }>`
    select md5(string_agg(id || ' ' || extract(epoch from updated_at), ',' order by id)) as version
    from webhook_endpoints where ${isActive}`.execute(kysely)
  return rows[0]?.version ?? ""
}

/**
 * Lists the active endpoints of workspaces, and locks them until the transaction ends: a delivery to an
 * endpoint that was deleted meanwhile would undo all others.
 */
export async function listActiveEndpoints({ kysely }: Source, workspaceIds: readonly string[]) {
  return await kysely
    .selectFrom("webhookEndpoints")
    .select(["id", "workspaceId", "types", "botIds"])
    .where("workspaceId", "in", workspaceIds)
    .where(isActive)
    .orderBy("id")
    .forKeyShare()
    .execute()
}

/** Lists the endpoints of a workspace, newest first. */
export async function listEndpoints(db: Source, workspaceId: string): Promise<EndpointRow[]> {
  return await db.kysely
    .selectFrom("webhookEndpoints")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("url", "is not", null)
    .$narrowType<WithAddress>()
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute()
}

export async function findEndpoint(db: Db, { workspaceId, endpointId }: EndpointAddress) {
  return await db.kysely
    .selectFrom("webhookEndpoints")
    .selectAll()
    .$narrowType<WithAddress>()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", endpointId)
    .where("url", "is not", null)
    .executeTakeFirst()
}

type NewEndpoint = Pick<
  EndpointRow,
  "id" | "workspaceId" | "url" | "types" | "botIds" | "description" | "data" | "nonce" | "keyId"
>

export async function insertEndpoint(db: Source, endpoint: NewEndpoint): Promise<EndpointRow> {
  return await db.kysely
    .insertInto("webhookEndpoints")
    .values(endpoint)
    .returningAll()
    .$narrowType<WithAddress>()
    .executeTakeFirstOrThrow()
}

type EndpointChanges = Partial<Omit<NewEndpoint, "id" | "workspaceId"> & { isEnabled: boolean }>

/**
 * Changes an endpoint. One that is enabled, disabled or moved forgets since when it failed. A `nonce` makes this
 * depend on its secret still being sealed with that. Returns undefined when there was none to change.
 */
export async function updateEndpoint(
  db: Db,
  { workspaceId, endpointId, nonce }: EndpointAddress & { nonce?: Buffer | null },
  changes: EndpointChanges,
): Promise<EndpointRow | undefined> {
  const isSwitched = changes.isEnabled !== undefined
  const isMoved = changes.url !== undefined
  return await db.kysely
    .updateTable("webhookEndpoints")
    .set({ ...changes, updatedAt: sql<Date>`now()` })
    .$if(isSwitched, (query) => query.set({ disabledReason: null }))
    .$if(isSwitched || isMoved, (query) => query.set({ failingSince: null }))
    .$if(nonce !== undefined, (query) => query.where("nonce", "=", nonce ?? null))
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", endpointId)
    .where("url", "is not", null)
    .returningAll()
    .$narrowType<WithAddress>()
    .executeTakeFirst()
}

/** Replaces a secret that is still sealed with this nonce, so that it never undoes a rotation. */
export async function resealEndpoint(
  db: Db,
  { id, nonce }: { id: string; nonce: Buffer },
  sealed: { data: Buffer; nonce: Buffer; keyId: number },
): Promise<void> {
  await db.kysely
    .updateTable("webhookEndpoints")
    .set(sealed)
    .where("id", "=", id)
    .where("nonce", "=", nonce)
    .execute()
}

/** Deletes an endpoint with its deliveries. Returns false when there was none. */
export async function deleteEndpoint(db: Db, { workspaceId, endpointId }: EndpointAddress) {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("webhookEndpoints")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", endpointId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Notes that endpoints have accepted events, for each at most every ten seconds. */
export async function noteSuccesses(db: Db, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return
  await db.kysely
    .updateTable("webhookEndpoints")
    .set({ lastSuccessAt: sql<Date>`now()`, failingSince: null })
    .where("id", "in", endpointIds)
    .where(
      sql<boolean>`(failing_since is not null or last_success_at is null
        or last_success_at < now() - interval '10 seconds')`,
    )
    .execute()
}

/** A failed attempt at an endpoint, and the address that it was made at. */
type EndpointFailure = { endpointId: string; url: string; error: string; at: Date }

/**
 * Notes that an endpoint has failed. Returns since when it has been failing; undefined: it is gone, or
 * has moved to another address meanwhile.
 */
export async function noteFailure(db: Db, { endpointId, url, error, at }: EndpointFailure) {
  const row = await db.kysely
    .updateTable("webhookEndpoints")
    .set({
      lastFailureAt: at,
      lastFailure: error,
      failingSince: sql<Date>`coalesce(failing_since, ${at}::timestamptz)`,
    })
    .where("id", "=", endpointId)
    .where("url", "=", url)
    .returning("failingSince")
    .executeTakeFirst()
  return row?.failingSince ?? undefined
}

/** Disables an endpoint. Returns false if it was disabled already. */
export async function disableEndpoint(db: Db, endpointId: string, disabledReason: DisabledReason) {
  const { numUpdatedRows } = await db.kysely
    .updateTable("webhookEndpoints")
    .set({ isEnabled: false, disabledReason, updatedAt: sql<Date>`now()` })
    .where("id", "=", endpointId)
    .where(sql<boolean>`is_enabled`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A listener: a temporary endpoint that fetches its events. */
type Listener = Pick<EndpointRow, "id" | "workspaceId" | "types" | "botIds">

/** Counts those who fetch the events of a workspace now. */
export async function countListeners(db: Source, workspaceId: string): Promise<number> {
  const row = await db.kysely
    .selectFrom("webhookEndpoints")
    .select(sql<number>`count(*)`.as("count"))
    .where("workspaceId", "=", workspaceId)
    .where("url", "is", null)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Stores a listener, with its lifetime in seconds. */
export async function insertListener(db: Source, listener: Listener, forSeconds: number) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${forSeconds})`
  await db.kysely
    .insertInto("webhookEndpoints")
    .values({ ...listener, expiresAt })
    .execute()
}

/** Renews a listener, by seconds from now. Returns false if it has expired. */
export async function renewListener(
  db: Db,
  { id, workspaceId }: Pick<Listener, "id" | "workspaceId">,
  forSeconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable("webhookEndpoints")
    .set({ expiresAt: sql<Date>`now() + make_interval(secs => ${forSeconds})` })
    .where("id", "=", id)
    .where("workspaceId", "=", workspaceId)
    .where("url", "is", null)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes listeners that have expired. Returns how many. */
export async function purgeListeners(db: Db): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("webhookEndpoints")
    .where("url", "is", null)
    .where(sql<boolean>`expires_at < now()`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
