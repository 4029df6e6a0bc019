/** Purges expired rows, a batch at a time, and deletes results for good. */
import { type RawBuilder, sql, type Transaction } from "kysely"
import { batchSize } from "../../lib/batches.ts"
import { closeUploads } from "../chats/uploads.ts"
import { failureOf } from "../connection/databaseFailures.ts"
import { deleteAnswering, type SpreadTables } from "../connection/nodes.ts"
import type { Db } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import { anyUuid } from "../schema/anyOf.ts"
import type { Database } from "../schema/tables.ts"
import { voidDays } from "./countedDays.ts"
import type { ResultAddress, ResultOfChat, ResultRange } from "./resultAddress.ts"
import { voidTexts } from "./resultTexts.ts"

/** Bounds a purge of tables whose rows belong to results. */
type Age = {
  /** Rows from before this moment go. */
  before: Date
  /**
   * The smallest result id of that moment: rows of later results cannot be older, and are not read.
   */
  beforeId: string
}

/**
 * Deletes live sessions without a turn since a moment, and those whose own expiry has passed; at most
 * a batch. Sessions with a timer end when that is due. Returns how many were deleted.
 */
export async function purgeOldSessions(db: Db, { before, beforeId }: Age): Promise<number> {
  return await deleteSpread(db, ["chat_sessions", "timers"], ([sessions, timers], bound) => {
    return sql`delete from ${sessions} where (result_id, id) in (
    select s.result_id, s.id from ${sessions} s
    where s.result_id < ${bound(beforeId)}::uuid
      and case when s.expires_at is null then s.updated_at < ${bound(before)}::timestamptz
        else s.expires_at < now() end
      and (s.claimed_until is null or s.claimed_until < now())
      and not exists (select from ${timers} t where t.result_id = s.result_id and t.session_id = s.id)
    order by s.result_id limit ${sql.lit(batchSize)})`
  })
}

/** Deletes lines of logs, at most a batch. Returns how many were deleted. */
export async function purgeOldLogs(db: Db, { before, beforeId }: Age): Promise<number> {
  return await deleteSpread(db, ["logs"], ([logs], bound) => {
    return sql`delete from ${logs} where (result_id, id) in (
    select result_id, id from ${logs}
    where result_id < ${bound(beforeId)}::uuid and created_at < ${bound(before)}::timestamptz
    order by result_id limit ${sql.lit(batchSize)})`
  })
}

/** Deletes previews without a turn since a moment, at most a batch. Returns how many were deleted. */
export async function purgePreviewSessions(db: Db, before: Date): Promise<number> {
  const statement = sql`delete from preview_sessions where id in (
    select id from preview_sessions where updated_at < ${before}
      and (claimed_until is null or claimed_until < now())
    limit ${sql.lit(batchSize)})`
  return await remove(db, statement)
}

/**
 * Deletes flows that were last started before a moment, unless a preview from before it runs them: as
 * the flow that it was started with, or as a linked draft, which is named only inside its state.
 * Flows of younger previews have been used since. Returns how many were deleted.
 */
export async function purgePreviewFlows(db: Db, before: Date): Promise<number> {
  const statement = sql`delete from preview_flows where last_used_at < ${before} and encode(hash, 'hex') not in (
    select encode(flow_hash, 'hex') from preview_sessions where created_at < ${before}
    union select (regexp_matches(state, '"([0-9a-f]{64}):', 'g'))[1] from preview_sessions
      where created_at < ${before})`
  return await remove(db, statement)
}

/** Tables whose rows expire by an indexed column: their keys, and that column. */
const expiring = {
  idempotency: ["result_id, session_id, key", "created_at"],
  start_keys: ["key_id", "created_at"],
  webhook_calls: ["result_id, id", "created_at"],
  session_events: ["result_id, id", "created_at"],
  ended_chats: ["result_id, session_id", "ended_at"],
  outbox: ["result_id, id", "created_at"],
  deliveries: ["endpoint_id, id", "created_at"],
  event_bodies: ["id", "created_at"],
  preview_responses: ["session_id, call, key", "created_at"],
  preview_starts: ["key_id", "created_at"],
  upload_tallies: ["scope", "expires_at"],
  rate_limits: ["key", "expire"],
  user_sessions: ["id", "expires_at"],
  stripe_events: ["id", "applied_at"],
  sign_in_links: ["code_hash", "expires_at"],
  sign_in_codes: ["email", "since"],
  audit_log: ["id", "id"],
  bot_edits: ["bot_id, revision", "created_at"],
} as const

/** One of them. */
export type ExpiringTable = keyof typeof expiring

/**
 * Deletes rows whose column lies before a bound, at most a batch: a moment, milliseconds since 1970 for
 * `rate_limits`, a UUIDv7 for `audit_log`. Returns how many were deleted.
 */
export async function purgeExpired(db: Db, table: ExpiringTable, before: Date | number | string) {
  const [key, column] = expiring[table].map((text) => sql.raw(text))
  return await deleteSpread(db, [table], ([name], bound) => {
    return sql`delete from ${name} where (${key}) in (
    select ${key} from ${name} where ${column} < ${bound(before)}
    order by ${column} limit ${sql.lit(batchSize)})`
  })
}

/** Deletes tokens that were revoked or had expired before a moment. Returns how many were deleted. */
export async function purgeOldTokens(db: Db, before: Date): Promise<number> {
  const statement = sql`delete from api_tokens where revoked_at < ${before} or expires_at < ${before}`
  return await remove(db, statement)
}

/** Lists results, oldest first, at most a batch. */
export async function listResultsIn(db: Db, range: ResultRange): Promise<ResultAddress[]> {
  return await resultsIn(db, range).orderBy("resultId").execute()
}

/** Lists results of a period whose bot is gone, at most a batch. */
export async function listOrphans(db: Db, range: ResultRange): Promise<ResultAddress[]> {
  return await resultsIn(db, range)
    .where(sql<boolean>`not exists (select from bots where bots.id = results.bot_id)`)
    .execute()
}

function resultsIn({ kysely }: Db, { fromId, beforeId }: ResultRange) {
  return kysely
    .selectFrom("results")
    .select(["resultId", "botId"])
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
    .limit(batchSize)
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
  "resultTexts",
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
 * Deletes results with everything that belongs to them, and voids what was counted of them. Returns those
 * whose files have to be removed once more, because uploads may have come until now.
 */
export async function deleteResults(db: Db, results: readonly ResultAddress[]) {
  if (results.length === 0) return []
  const isMeant = sql<boolean>`result_id = ${anyUuid(results.map(({ resultId }) => resultId))}`
  return await deleteThose(db, isMeant)
}

/** As `deleteResults`, for all results of a range. */
export async function deleteResultsIn(
  db: Db,
  { fromId, beforeId }: ResultRange,
): Promise<ResultAddress[]> {
  return await deleteThose(db, sql<boolean>`result_id >= ${fromId} and result_id < ${beforeId}`)
}

async function deleteThose(db: Db, isMeant: Meant): Promise<ResultAddress[]> {
  return await deleteContents(db, isMeant, (kysely) => {
    const names = ["resultId", "botId", "lastChatSessionId"] as const
    return kysely.deleteFrom("results").where(isMeant).returning(names).execute()
  })
}

/** Which results: a condition on `result_id`. */
type Meant = RawBuilder<boolean>

/**
 * Deletes all that belongs to results, does with their own rows what `settle` says, and voids what was
 * counted of them, as a whole. Returns those whose chats have lately uploaded files, or could until now.
 */
export async function deleteContents(
  db: Db,
  isMeant: Meant,
  settle: (kysely: Transaction<Database>) => Promise<ResultOfChat[]>,
): Promise<ResultAddress[]> {
  return await inTransaction(db, async (kysely) => {
    // In the order of save_turn: a turn that is being stored holds the row of its session, so this waits
    // for it and then sees what it wrote; a turn that comes later finds no session.
    const sessions = await kysely
      .deleteFrom("chatSessions")
      .where(isMeant)
      .returning(["resultId", "botId", "id as lastChatSessionId"])
      .execute()
    const settled = await settle(kysely)
    await voidTexts({ kysely }, settled)
    // After them, and sessions once more: a chat that goes on with one of them writes to it until then, and
    // the rest of deleted results could not be found again.
    for (const table of tablesOfResults) {
      await kysely.deleteFrom(table).where(isMeant).execute()
    }
    await voidDays({ kysely }, settled)
    return await closeUploads({ kysely }, [...sessions, ...settled])
  })
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

/** Lists bots that were deleted for good: archived, and not in the bin. */
export async function listDeletedBots(db: Db): Promise<{ botId: string; workspaceId: string }[]> {
  return await db.kysely
    .selectFrom("bots")
    .select(["id as botId", "workspaceId"])
    .where(sql<boolean>`is_archived and not is_in_bin`)
    .execute()
}

/** Lists bots that were moved to the bin since a moment, and are still there. */
export async function listBinned(db: Db, since: Date): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("bots")
    .select("id")
    .where(sql<boolean>`is_archived and is_in_bin`)
    .where("archivedAt", ">", since)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Deletes archived bots for good, with their versions and collaborators. Returns how many were
 * deleted.
 */
export async function purgeArchivedBots(db: Db, botIds: readonly string[]): Promise<number> {
  return await remove(db, sql`delete from bots where id = any(${botIds}) and is_archived`)
}

async function remove(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await statement.execute(db.kysely)
  return Number(numAffectedRows ?? 0n)
}

type Sql = RawBuilder<unknown>

/** Makes a deletion from tables of some names, given how it writes a value. */
type Deletion = (names: readonly Sql[], bound: (value: Date | number | string) => Sql) => Sql

/**
 * Deletes from a table that a cluster may have spread, perhaps by one that lies with it. While a node is down,
 * it deletes a batch from each shard of the others. Returns the number of deleted rows.
 */
async function deleteSpread(db: Db, tables: SpreadTables, deletion: Deletion): Promise<number> {
  const names = tables.map((name) => sql.raw(name ?? ""))
  try {
    return await remove(
      db,
      deletion(names, (value) => sql`${value}`),
    )
  } catch (error) {
    if (failureOf(error) !== "partial") throw error
    const places = tables.map((_, index) => sql.raw(`%${index + 1}$s`))
    const inShards = deletion(places, (value) => sql`${sql.lit(value)}`)
    return await deleteAnswering(db, tables, inShards.compile(db.kysely.withoutPlugins()).sql)
  }
}
