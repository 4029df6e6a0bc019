/** Reads recorded conversations and archives them; adds to their logs outside of turns. */
import { type Insertable, type Selectable, sql } from "kysely"
import type { Db } from "../connection/open.ts"
import { inTransaction } from "../connection/transactions.ts"
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

/** Names a result of this bot. */
export type ResultAddress = { botId: string; resultId: string }

/**
 * Finds a result, archived or not. Returns undefined when the bot has none with that id, a UUID.
 */
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

/** Which results of a bot to list; ids are UUIDv7, so they bound the time of creation. */
export type ResultListing = {
  botId: string
  /** The newest one to list; absent: the newest of all. */
  startAt?: string | undefined
  /** Only those with this id or a later one. */
  from?: string | undefined
  /** Only those with an earlier id. */
  before?: string | undefined
  /** Only those of chats that ran this version. */
  versionId?: string | undefined
  limit: number
}

/** Lists the results that have answers and are not archived, newest first. */
export async function listResults(db: Db, listing: ResultListing): Promise<StoredResult[]> {
  return await resultsListed(db, listing).execute()
}

/** The query of `listResults`, served by the index `results_listed`. */
export function resultsListed(
  db: Db,
  { botId, startAt, from, before, versionId, limit }: ResultListing,
) {
  let query = db.kysely
    .selectFrom("results")
    .selectAll()
    .where("botId", "=", botId)
    // Written as in the index: the planner does not accept `= $n` as proof.
    .where(sql<boolean>`has_started and not is_archived`)
    .orderBy("resultId", "desc")
    .limit(limit)
  if (startAt !== undefined) query = query.where("resultId", "<=", startAt)
  if (from !== undefined) query = query.where("resultId", ">=", from)
  if (before !== undefined) query = query.where("resultId", "<", before)
  if (versionId !== undefined) query = query.where("versionId", "=", versionId)
  return query
}

/** Lists the answers of several results, in the order in which they were given. */
export async function listAnswers(db: Db, resultIds: readonly string[]): Promise<StoredAnswer[]> {
  return await db.kysely
    .selectFrom("answers")
    .select(["resultId", "blockId", "content", "attachedFileUrls"])
    .where("resultId", "=", sql<string>`any(${[...resultIds]}::uuid[])`)
    .orderBy("resultId")
    .orderBy("idx")
    .execute()
}

/**
 * Lists the log of a result, oldest line first. Returns undefined when the bot has no such result.
 */
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
 * responses are deleted, and the emptied rows stay, because usage counts them. Ids of other bots
 * and archived ones are skipped. A batch is archived as a whole, once `before` has dealt with its
 * ids. Returns how many there were.
 */
export async function archiveResults(
  db: Db,
  botId: string,
  selection: readonly string[] | "all",
  before: (resultIds: string[]) => Promise<void> = async () => {},
): Promise<number> {
  let count = 0
  const batches = selection === "all" ? allOf(db, botId) : knownOf(db, botId, selection)
  for await (const rows of batches) {
    const ids = rows.map(({ resultId }) => resultId)
    await before(ids)
    await archiveBatch(db, ids)
    count += ids.length
  }
  return count
}

/** Counts what `archiveResults` would archive. */
export async function countResults(
  db: Db,
  botId: string,
  selection: readonly string[] | "all",
): Promise<number> {
  const row = await idsOf(db, botId)
    .clearSelect()
    .select(sql<number>`count(*)`.as("count"))
    .$if(selection !== "all", (query) =>
      query.where("resultId", "=", sql<string>`any(${selection}::uuid[])`),
    )
    .executeTakeFirstOrThrow()
  return row.count
}

async function* knownOf(db: Db, botId: string, selection: readonly string[]) {
  for (let start = 0; start < selection.length; start += batchSize) {
    const wanted = selection.slice(start, start + batchSize)
    yield idsOf(db, botId).where("resultId", "=", sql<string>`any(${wanted}::uuid[])`).execute()
  }
}

// Ascending, so that chats that start meanwhile come last and the end is reached.
async function* allOf(db: Db, botId: string) {
  const all = idsOf(db, botId).orderBy("resultId")
  let query = all.limit(batchSize)
  for (;;) {
    const rows = await query.execute()
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    query = all.limit(batchSize).where("resultId", ">", last.resultId)
  }
}

function idsOf(db: Db, botId: string) {
  return db.kysely
    .selectFrom("results")
    .select("resultId")
    .where("botId", "=", botId)
    .where(sql<boolean>`not is_archived`)
}

const emptied = [
  "answers",
  "resultSteps",
  "logs",
  "idempotency",
  "webhookCalls",
  "endedChats",
  "keptMessages",
  "sessionEvents",
  "timers",
  "conversations",
  "outbox",
  "deliveries",
] as const

async function archiveBatch(db: Db, resultIds: string[]): Promise<void> {
  if (resultIds.length === 0) return
  const selected = sql<string>`any(${resultIds}::uuid[])`
  await inTransaction(db, async (kysely) => {
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

/** Counts the lines in the log of a result. */
export async function countLogs(db: Db, resultId: string): Promise<number> {
  const row = await db.kysely
    .selectFrom("logs")
    .select(sql<number>`count(*)`.as("count"))
    .where("resultId", "=", resultId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Adds lines to the log of a result, outside of a turn. */
export async function insertLogs(db: Db, logs: Insertable<LogsTable>[]): Promise<void> {
  if (logs.length > 0) await db.kysely.insertInto("logs").values(logs).execute()
}
