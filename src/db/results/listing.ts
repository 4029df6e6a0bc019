/** Finds results of a bot by filters, newest first. */
import { type RawBuilder, sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"
import { anyUuid } from "../schema/anyOf.ts"
import type { Row } from "../schema/tables.ts"
import { hasInAnySpelling } from "./anySpelling.ts"
import type { ResultRange } from "./resultAddress.ts"

/** A recorded conversation, and the number of the version that it ran; null: that was deleted. */
export type StoredResult = Row<"results"> & { versionNumber: number | null }

/** Which results of a bot to list; ids are UUIDv7, so their range is one of times of creation. */
export type ResultFilter = ResultRange & {
  botId: string
  /** Only those of chats that ran this version. */
  versionId?: string | undefined
  /** Only results of ended chats, or only of open ones. */
  isCompleted?: boolean | undefined
  /** Only those of conversations under this key of the caller's own. */
  conversationKey?: string | undefined
  /** Only those with this text in an answer or in the value of a variable, in any case. */
  search?: string | undefined
}

/** The range of results that a statement scans, and its limit. */
export type ListingBounds = {
  /** The newest one; absent: the newest of all. */
  startAt?: string | undefined
  /** The end of the range, exclusive; absent: all. */
  end?: string | undefined
  /** The only ones; absent: all between these. */
  among?: readonly string[]
  limit: number
}

/** The query of results as they are stored. */
export function storedResults({ kysely }: Db) {
  return kysely
    .selectFrom("results")
    .leftJoin("botVersions", "botVersions.id", "results.versionId")
    .selectAll("results")
    .select("botVersions.number as versionNumber")
}

/** Reads results by their ids, newest first. */
export async function findResults(db: Db, resultIds: readonly string[]): Promise<StoredResult[]> {
  return await storedResults(db)
    .where("results.resultId", "=", anyUuid(resultIds))
    .orderBy("results.resultId", "desc")
    .execute()
}

/** Finds the newest result after an offset; undefined: there are no more. */
export async function findEnd(
  db: Db,
  filter: ResultFilter,
  { startAt, after }: { startAt: string | undefined; after: number },
): Promise<string | undefined> {
  const row = await inSpan(db, filter, startAt)
    .select("resultId")
    .orderBy("resultId", "desc")
    .offset(after)
    .limit(1)
    .executeTakeFirst()
  return row?.resultId
}

/** Lists the ids of the results that match a filter. */
export async function listIds(db: Db, filter: ResultFilter, bounds: ListingBounds) {
  const rows = await resultsListed(db, filter, bounds).execute()
  return rows.map(({ resultId }) => resultId)
}

/** The query of `listIds`, by the index `results_listed`. */
export function resultsListed(
  db: Db,
  filter: ResultFilter,
  { startAt, limit, end, among }: ListingBounds,
) {
  const { versionId, isCompleted, search } = filter
  let query = inSpan(db, filter, startAt)
    .select("resultId")
    .orderBy("resultId", "desc")
    .limit(limit)
  if (end !== undefined) query = query.where("resultId", ">", end)
  if (among) query = query.where("resultId", "=", anyUuid(among))
  if (versionId !== undefined) query = query.where("versionId", "=", versionId)
  if (isCompleted !== undefined) query = query.where("isCompleted", "=", isCompleted)
  if (search !== undefined) query = query.where(holds(search))
  return query
}

function inSpan(db: Db, { botId, fromId, beforeId }: ResultFilter, startAt: string | undefined) {
  const query = db.kysely
    .selectFrom("results")
    .where("botId", "=", botId)
    // Written as in the index: the planner does not accept `= $n` as proof.
    .where(sql<boolean>`has_started and not is_archived`)
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
  return startAt === undefined ? query : query.where("resultId", "<=", startAt)
}

/**
 * Whether a result has a text in the value of a variable, or in an answer. Not by `exists`: the planner
 * may then look through the answers of all results once, instead of those of each.
 */
function holds(search: string) {
  const isFound = (text: RawBuilder<unknown>) => hasInAnySpelling(text, search)
  return sql<boolean>`(
    exists (select from jsonb_path_query(results.variables, '$[*].value[*]') as value
      where ${isFound(sql`(value #>> '{}')`)})
    or (select bool_or(${isFound(sql`answers.content`)}) from answers
      where answers.result_id = results.result_id)
  )`
}

/** Lists the versions that the results of a span ran. */
export async function listVersionsIn(
  db: Db,
  filter: ResultFilter,
  { startAt, end }: Pick<ListingBounds, "startAt" | "end">,
): Promise<string[]> {
  let query = inSpan(db, filter, startAt).select("versionId").distinct()
  if (end !== undefined) query = query.where("resultId", ">", end)
  return (await query.execute()).map(({ versionId }) => versionId)
}

/** Lists the ids of the results of a key, by the index `keyed_results_key`. */
export async function listKeyedResults(
  { kysely }: Db,
  { botId, fromId, beforeId }: ResultFilter,
  { key, startAt = beforeId, limit }: Pick<ListingBounds, "startAt" | "limit"> & { key: string },
): Promise<string[]> {
  const rows = await kysely
    .selectFrom("keyedResults")
    .select("resultId")
    .where("botId", "=", botId)
    .where("key", "=", key)
    .where("resultId", "<=", startAt)
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
    .orderBy("resultId", "desc")
    .limit(limit)
    .execute()
  return rows.map(({ resultId }) => resultId)
}
