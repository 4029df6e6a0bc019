/** Reads recorded conversations with their answers and logs, and archives them. */
import { type Selectable, sql } from "kysely"
import type { Db } from "../connection/open.ts"
import type { AnswersTable, LogsTable, ResultsTable } from "../schema/hotTables.ts"

/** A recorded conversation. */
export type StoredResult = Selectable<ResultsTable>

/** One of its answers. */
export type StoredAnswer = Pick<
  Selectable<AnswersTable>,
  "resultId" | "blockId" | "content" | "attachedFileUrls"
>

/** One line of its log. */
export type StoredLog = Selectable<LogsTable>

/** Names a result; one of another bot counts as none. */
export type ResultAddress = { botId: string; resultId: string }

/** Finds a result, archived or not; undefined: the bot has none of that id. Ids must be UUIDs. */
export async function findResult(
  db: Db,
  { botId, resultId }: ResultAddress,
): Promise<StoredResult | undefined> {
  return await db.kysely
    .selectFrom("results")
    .selectAll()
    .where("resultId", "=", resultId)
    .where("botId", "=", botId)
    .executeTakeFirst()
}

/** Which results of a bot to list; ids are UUIDv7, so that they bound the time of creation. */
export type ResultListing = {
  botId: string
  /** The newest one to list; absent: the newest there is. */
  startAt?: string | undefined
  /** Only those with this id or a later one. */
  from?: string | undefined
  /** Only those with an earlier id. */
  before?: string | undefined
  limit: number
}

/** The results that have answers and are not archived, newest first. */
export async function listResults(db: Db, listing: ResultListing): Promise<StoredResult[]> {
  return await resultsListed(db, listing).execute()
}

/** The query of `listResults`, served by the index `results_listed`. */
export function resultsListed(db: Db, { botId, startAt, from, before, limit }: ResultListing) {
  let query = db.kysely
    .selectFrom("results")
    .selectAll()
    .where("botId", "=", botId)
    // As the index says it: the planner does not take `= $n` for a proof.
    .where(sql<boolean>`has_started and not is_archived`)
    .orderBy("resultId", "desc")
    .limit(limit)
  if (startAt !== undefined) query = query.where("resultId", "<=", startAt)
  if (from !== undefined) query = query.where("resultId", ">=", from)
  if (before !== undefined) query = query.where("resultId", "<", before)
  return query
}

/** The answers of several results, in the order given. */
export async function listAnswers(db: Db, resultIds: readonly string[]): Promise<StoredAnswer[]> {
  return await db.kysely
    .selectFrom("answers")
    .select(["resultId", "blockId", "content", "attachedFileUrls"])
    .where("resultId", "=", sql<string>`any(${[...resultIds]}::uuid[])`)
    .orderBy("resultId")
    .orderBy("idx")
    .execute()
}

/** The log of a result, oldest line first; undefined: the bot has no such result. */
export async function listLogs(
  db: Db,
  { botId, resultId }: ResultAddress,
): Promise<StoredLog[] | undefined> {
  const rows = await db.kysely
    .selectFrom("results")
    .leftJoin("logs", "logs.resultId", "results.resultId")
    .selectAll("logs")
    .where("results.resultId", "=", resultId)
    .where("results.botId", "=", botId)
    .orderBy("logs.id")
    .execute()
  if (rows.length === 0) return undefined
  // A result without logs joins to one row of nulls.
  return rows.filter((row): row is StoredLog => row.id !== null)
}

const batchSize = 100

/**
 * Archives results of a bot in batches: their answers, steps, logs, running chats and stored
 * responses are deleted, and the emptied rows stay, because usage counts them. Ids that the bot does
 * not have are passed over. A batch is archived as a whole, after `before` was done with its ids.
 */
export async function archiveResults(
  db: Db,
  botId: string,
  selection: readonly string[] | "all",
  before: (resultIds: string[]) => Promise<void> = async () => {},
): Promise<void> {
  if (selection === "all") return await archiveAll(db, botId, before)
  for (let start = 0; start < selection.length; start += batchSize) {
    const wanted = selection.slice(start, start + batchSize)
    const found = await db.kysely
      .selectFrom("results")
      .select("resultId")
      .where("botId", "=", botId)
      .where("resultId", "=", sql<string>`any(${wanted}::uuid[])`)
      .execute()
    const ids = found.map(({ resultId }) => resultId)
    await before(ids)
    await archiveBatch(db, ids)
  }
}

// Upwards, so that chats which start meanwhile come last and the end is reached.
async function archiveAll(
  db: Db,
  botId: string,
  before: (resultIds: string[]) => Promise<void>,
): Promise<void> {
  let after: string | undefined
  for (;;) {
    let query = db.kysely
      .selectFrom("results")
      .select("resultId")
      .where("botId", "=", botId)
      .where(sql<boolean>`not is_archived`)
      .orderBy("resultId")
      .limit(batchSize)
    if (after !== undefined) query = query.where("resultId", ">", after)
    const found = await query.execute()
    const ids = found.map(({ resultId }) => resultId)
    await before(ids)
    await archiveBatch(db, ids)
    after = ids.at(-1)
    if (ids.length < batchSize) return
  }
}

const emptied = ["answers", "resultSteps", "logs", "idempotency", "webhookCalls"] as const

async function archiveBatch(db: Db, resultIds: string[]): Promise<void> {
  if (resultIds.length === 0) return
  const selected = sql<string>`any(${resultIds}::uuid[])`
  await db.kysely.transaction().execute(async (kysely) => {
    // In the order of save_turn: a turn that is being stored holds the row of its session, so this
    // waits for it and then sees what it wrote; a turn that comes later finds no session.
    await kysely.deleteFrom("chatSessions").where("resultId", "=", selected).execute()
    await kysely
      .updateTable("results")
      .set({ isArchived: true, variables: "[]" })
      .where("resultId", "=", selected)
      .execute()
    for (const table of emptied) {
      await kysely.deleteFrom(table).where("resultId", "=", selected).execute()
    }
  })
}
