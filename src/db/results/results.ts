/** Finds recorded conversations and archives them; reads their logs, and adds to them outside of turns. */
import { type Insertable, type Selectable, sql } from "kysely"
import type { Db } from "../connection/open.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { LogsTable } from "../schema/hotTables.ts"
import { voidDays } from "./countedDays.ts"
import type { StoredResult } from "./listing.ts"
import { tablesOfResults } from "./purge.ts"

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

/** Finds the oldest result of a bot that is not archived. Returns undefined when there is none. */
export async function findOldestResult(db: Db, botId: string): Promise<string | undefined> {
  const row = await idsOf(db, botId).orderBy("resultId").limit(1).executeTakeFirst()
  return row?.resultId
}

/** Most lines of a log that are listed; one more is read, which tells whether there are others. */
export const mostLines = 10_000

/**
 * Lists the log of a result, oldest line first, as far as an answer holds it, in texts of at most so
 * many characters. Returns undefined when the bot has no such result.
 */
export async function listLogs(
  db: Db,
  { botId, resultId }: ResultAddress,
  longest: number,
): Promise<StoredLog[] | undefined> {
  const found = await db.kysely
    .selectFrom("results")
    .select("resultId")
    .where("resultId", "=", resultId)
    .where("botId", "=", botId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const begun = (column: string) => sql`left(${sql.ref(column)}, ${longest}) as ${sql.ref(column)}`
  const { rows } = await sql<StoredLog>`select result_id, id, status, ${begun("description")},
      ${begun("details")}, ${begun("context")}, created_at
    from logs where result_id = ${resultId} order by id limit ${mostLines + 1}`.execute(db.kysely)
  return rows
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
    await emptyResults(db, { botIds: [botId], resultIds: ids })
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

/** Results of some bots: ids that the bots have nothing of are passed over. */
export type ResultsOfBots = { botIds: readonly string[]; resultIds: readonly string[] }

/** Those of the ids that the bots have a result, a running chat or a key of; a result never moves. */
export async function listOwned(
  { kysely }: Db,
  { botIds, resultIds }: ResultsOfBots,
): Promise<string[]> {
  const owned = new Set<string>()
  for (const table of ["results", "chatSessions", "keyedResults", "conversations"] as const) {
    const rows = await kysely
      .selectFrom(table)
      .select("resultId")
      .where("resultId", "=", sql<string>`any(${[...resultIds]}::uuid[])`)
      .where("botId", "=", sql<string>`any(${[...botIds]}::text[])`)
      .execute()
    for (const { resultId } of rows) owned.add(resultId)
  }
  return [...owned]
}

/**
 * Archives results of some bots, and deletes all that belongs to them; again, where that was done
 * before. Whoever's ids are given, those of other bots lose nothing.
 */
export async function emptyResults(db: Db, meant: ResultsOfBots): Promise<void> {
  if (meant.resultIds.length === 0) return
  const resultIds = await listOwned(db, meant)
  if (resultIds.length === 0) return
  const selected = sql<string>`any(${resultIds}::uuid[])`
  const ofThem = sql<string>`any(${[...meant.botIds]}::text[])`
  const emptied = await inTransaction(db, async (kysely) => {
    // In the order of save_turn: a turn that is being stored holds the row of its session, so this
    // waits for it and then sees what it wrote; a turn that comes later finds no session.
    await kysely
      .deleteFrom("chatSessions")
      .where("resultId", "=", selected)
      .where("botId", "=", ofThem)
      .execute()
    const archived = await kysely
      .updateTable("results")
      .set({ isArchived: true, variables: "[]" })
      .where("resultId", "=", selected)
      .where("botId", "=", ofThem)
      .returning(["resultId", "botId"])
      .execute()
    // Sessions once more: a chat that goes on with one of them may have begun until it was archived.
    for (const table of tablesOfResults) {
      await kysely.deleteFrom(table).where("resultId", "=", selected).execute()
    }
    return archived
  })
  await voidDays(db, emptied)
}

/** Lines for the log of a result, which has at most so many. */
type LinesToAdd = {
  resultId: string
  lines: readonly Omit<Insertable<LogsTable>, "resultId">[]
  most: number
}

/**
 * Adds lines to the log of a result, outside of a turn: all, or none when they are too many. Those who
 * add to one result do so one after the other, so that each counts all before it.
 */
export async function addLogs(db: Db, { resultId, lines, most }: LinesToAdd): Promise<boolean> {
  if (lines.length === 0) return true
  return await inTransaction(db, async (kysely) => {
    await kysely
      .selectFrom("results")
      .select("resultId")
      .where("resultId", "=", resultId)
      .forNoKeyUpdate()
      .execute()
    const { count } = await kysely
      .selectFrom("logs")
      .select(sql<number>`count(*)`.as("count"))
      .where("resultId", "=", resultId)
      .executeTakeFirstOrThrow()
    if (count + lines.length > most) return false
    await kysely
      .insertInto("logs")
      .values(lines.map((line) => ({ resultId, ...line })))
      .execute()
    return true
  })
}
