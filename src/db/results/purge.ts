/** Deletes what has expired, a batch at a time, in short statements that any server can run. */
import { sql } from "kysely"
import type { Db } from "../connection/open.ts"

/** Most rows that one statement deletes. A purge that returns fewer has nothing left to do. */
export const batchSize = 1_000

/** Bounds a purge of tables whose rows belong to results. */
export type Age = {
  /** Rows from before this moment go. */
  before: Date
  /**
   * The smallest result id of that moment: rows of later results cannot be older, and are not read.
   */
  beforeId: string
}

/**
 * Deletes live sessions without a turn since a moment, and those whose own expiry has passed.
 * Sessions with a timer end when that is due. Returns how many were deleted.
 */
export async function purgeSessions(db: Db, { before, beforeId }: Age): Promise<number> {
  return await remove(
    db,
    sql`delete from chat_sessions where (result_id, id) in (
      select result_id, id from chat_sessions
      where result_id < ${beforeId}
        and case when expires_at is null then updated_at < ${before} else expires_at < now() end
        and (claimed_until is null or claimed_until < now())
        and not exists (select from timers where timers.result_id = chat_sessions.result_id
          and timers.session_id = chat_sessions.id)
      order by result_id limit ${sql.lit(batchSize)})`,
  )
}

/** Deletes lines of logs. Returns how many were deleted. */
export async function purgeLogs(db: Db, { before, beforeId }: Age): Promise<number> {
  return await remove(
    db,
    sql`delete from logs where (result_id, id) in (
      select result_id, id from logs where result_id < ${beforeId} and created_at < ${before}
      order by result_id limit ${sql.lit(batchSize)})`,
  )
}

/** Deletes previews without a turn since a moment. Returns how many were deleted. */
export async function purgePreviewSessions(db: Db, before: Date): Promise<number> {
  return await remove(
    db,
    sql`delete from preview_sessions where id in (
      select id from preview_sessions where updated_at < ${before}
        and (claimed_until is null or claimed_until < now())
      limit ${sql.lit(batchSize)})`,
  )
}

/** Lists the hashes of flows under preview that were last started before a moment. */
export async function listPreviewFlows(db: Db, before: Date): Promise<Buffer[]> {
  const rows = await db.kysely
    .selectFrom("previewFlows")
    .select("hash")
    .where("lastUsedAt", "<", before)
    .execute()
  return rows.map(({ hash }) => hash)
}

/**
 * Lists the flows, in hex, that previews from before a moment run: those they were started with,
 * and drafts that they link to, which are named only inside their state.
 */
export async function listPreviewedHashes(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select encode(flow_hash, 'hex') as hash from preview_sessions where created_at < ${before}
    union select (regexp_matches(state, '"([0-9a-f]{64}):', 'g'))[1] from preview_sessions
      where created_at < ${before}`.execute(db.kysely)
  return rows.map(({ hash }) => hash)
}

/** Deletes flows and the previews that run them, unless they were started again since a moment. */
export async function deletePreviewFlows(
  db: Db,
  hashes: readonly Buffer[],
  unusedSince: Date,
): Promise<number> {
  const count = await remove(
    db,
    sql`delete from preview_flows
      where hash = any(${hashes}::bytea[]) and last_used_at <= ${unusedSince}`,
  )
  await remove(
    db,
    sql`delete from preview_sessions
      where flow_hash = any(${hashes}::bytea[]) and updated_at <= ${unusedSince}`,
  )
  return count
}

/** Deletes tallies of uploads that no longer count. Returns how many were deleted. */
export async function purgeUploadTallies(db: Db, now: Date): Promise<number> {
  return await remove(
    db,
    sql`delete from upload_tallies where scope in (
      select scope from upload_tallies where expires_at < ${now}
      order by expires_at limit ${sql.lit(batchSize)})`,
  )
}

/**
 * Deletes what is known of chats that ended before a moment. Returns how many there were.
 */
export async function purgeEndedChats(db: Db, before: Date): Promise<number> {
  return await remove(
    db,
    sql`delete from ended_chats where (result_id, session_id) in (
      select result_id, session_id from ended_chats where ended_at < ${before}
      order by ended_at limit ${sql.lit(batchSize)})`,
  )
}

/** Tables of what is kept for a day or a month, each with an index on `created_at`. */
const shortLived = {
  idempotency: "result_id, session_id, key",
  start_keys: "key_id",
  webhook_calls: "result_id, id",
  session_events: "result_id, id",
  outbox: "result_id, id",
  deliveries: "endpoint_id, id",
  event_bodies: "id",
  preview_responses: "session_id, call, key",
  preview_starts: "key_id",
} as const

/** One of them. */
export type ShortLivedTable = keyof typeof shortLived

/** Deletes rows of a table of short-lived rows. Returns how many were deleted. */
export async function purgeShortLived(
  db: Db,
  table: ShortLivedTable,
  before: Date,
): Promise<number> {
  const key = sql.raw(shortLived[table])
  return await remove(
    db,
    sql`delete from ${sql.raw(table)} where (${key}) in (
      select ${key} from ${sql.raw(table)} where created_at < ${before}
      order by created_at limit ${sql.lit(batchSize)})`,
  )
}

/**
 * Deletes tokens that were revoked or had expired before a moment. Returns how many were deleted.
 */
export async function purgeTokens(db: Db, before: Date): Promise<number> {
  return await remove(
    db,
    sql`delete from api_tokens where revoked_at < ${before} or expires_at < ${before}`,
  )
}

/** Deletes shared rate limits that are over. Returns how many were deleted. */
export async function purgeRateLimits(db: Db, now: Date): Promise<number> {
  return await remove(
    db,
    sql`delete from rate_limits where key in (
      select key from rate_limits where expire < ${now.getTime()}
      order by expire limit ${sql.lit(batchSize)})`,
  )
}

/** Names a result and its bot. */
export type ResultOfBot = { resultId: string; botId: string }

/** Results from one id on and before another. */
export type ResultRange = { fromId: string; beforeId: string }

/** Lists results, oldest first, at most a batch. */
export async function listResultsIn(
  db: Db,
  { fromId, beforeId }: ResultRange,
): Promise<ResultOfBot[]> {
  return await db.kysely
    .selectFrom("results")
    .select(["resultId", "botId"])
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
    .orderBy("resultId")
    .limit(batchSize)
    .execute()
}

/** Lists results of a period whose bot is gone, at most a batch. */
export async function listOrphans(
  db: Db,
  { fromId, beforeId }: ResultRange,
): Promise<ResultOfBot[]> {
  return await db.kysely
    .selectFrom("results")
    .select(["resultId", "botId"])
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
    .where(sql<boolean>`not exists (select from bots where bots.id = results.bot_id)`)
    .limit(batchSize)
    .execute()
}

/** Finds the first result of any bot from an id on. Returns undefined when there is none. */
export async function findFirstResultFrom(db: Db, fromId: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("results")
    .select("resultId")
    .where("resultId", ">=", fromId)
    .orderBy("resultId")
    .limit(1)
    .executeTakeFirst()
  return row?.resultId
}

/** Tables whose rows belong to results; those of sessions first. */
export const tablesOfResults = [
  "chatSessions",
  "answers",
  "resultSteps",
  "logs",
  "idempotency",
  "webhookCalls",
  "endedChats",
  "keptMessages",
  "keyedResults",
  "sessionEvents",
  "timers",
  "conversations",
  "outbox",
  "eventBodies",
  "deliveries",
] as const

/**
 * Deletes results with everything that belongs to them; the results last, so it can be repeated.
 */
export async function deleteResults(db: Db, resultIds: readonly string[]): Promise<void> {
  const selected = sql<string>`any(${resultIds}::uuid[])`
  for (const table of tablesOfResults) {
    await db.kysely.deleteFrom(table).where("resultId", "=", selected).execute()
  }
  await db.kysely.deleteFrom("results").where("resultId", "=", selected).execute()
}

/** As `deleteResults`, for all results of a range. */
export async function deleteResultsIn(db: Db, { fromId, beforeId }: ResultRange): Promise<void> {
  for (const table of [...tablesOfResults, "results"] as const) {
    await db.kysely
      .deleteFrom(table)
      .where("resultId", ">=", fromId)
      .where("resultId", "<", beforeId)
      .execute()
  }
}

/** Lists bots that were archived before a moment, at most a batch. */
export async function listArchivedBots(db: Db, before: Date): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("bots")
    .select("id")
    .where(sql<boolean>`is_archived`)
    .where("archivedAt", "<", before)
    .orderBy("archivedAt")
    .limit(batchSize)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Deletes archived bots for good, with their versions and collaborators. Returns how many were
 * deleted.
 */
export async function deleteArchivedBots(db: Db, botIds: readonly string[]): Promise<number> {
  return await remove(db, sql`delete from bots where id = any(${botIds}) and is_archived`)
}

/**
 * Deletes drafts that a restore replaced before a moment, and that were neither published nor kept on
 * request since. Returns how many were deleted.
 */
export async function purgeReplacedDrafts(db: Db, before: Date): Promise<number> {
  return await remove(
    db,
    // The origin once more: somebody may have asked for one while this waited for its row.
    sql`delete from bot_versions where origin = 'restore' and id in (
      select id from bot_versions v where origin = 'restore' and created_at < ${before}
        and not exists (select from published_bots where version_id = v.id)
        and not exists (select from publications where version_id = v.id)
      order by id limit ${sql.lit(batchSize)})`,
  )
}

async function remove(db: Db, statement: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await statement.execute(db.kysely)
  return Number(numAffectedRows ?? 0n)
}
