/** Finds and empties recorded conversations; reads their logs, and adds to them outside of turns. */
import { sql } from "kysely"
import { type ChatIds, lockSession } from "../chats/sessions.ts"
import type { Db } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import { anyText, anyUuid } from "../schema/anyOf.ts"
import type { NewRow, Row } from "../schema/tables.ts"
import { storedResults } from "./listing.ts"
import { deleteContents } from "./purge.ts"
import type { ResultAddress, ResultOfChat } from "./resultAddress.ts"

/** One line of its log. */
export type StoredLog = Row<"logs">

/**
 * Finds a result, archived or not. Returns undefined when the bot has none with that id, a UUID.
 */
export async function findResult(db: Db, { botId, resultId }: ResultAddress) {
  return await storedResults(db)
    .where("results.resultId", "=", resultId)
    .where("results.botId", "=", botId)
    .executeTakeFirst()
}

/** Max log lines listed; one more is read to detect others. */
export const maxLines = 10_000

/**
 * Lists the first lines of the log of a result, oldest first, with texts of at most `longest`
 * characters. Returns undefined when the bot has no such result.
 */
export async function listLogs(db: Db, { botId, resultId }: ResultAddress, longest: number) {
  if (!(await findResult(db, { botId, resultId }))) return undefined
  const begun = (column: string) => sql`left(${sql.ref(column)}, ${longest}) as ${sql.ref(column)}`
  const { rows } = await sql<StoredLog>`select result_id, id, status, ${begun("description")},
      ${begun("details")}, ${begun("context")}, created_at
    from logs where result_id = ${resultId} order by id limit ${maxLines + 1}`.execute(db.kysely)
  return rows
}

/** Which results of a bot: absent bounds and ids leave out none. */
type UnarchivedResults = {
  botId: string
  among?: readonly string[]
  afterId?: string | undefined
  beforeId?: string
}

/** Lists results of a bot that are not archived, oldest first. */
export async function listUnarchived(
  db: Db,
  { limit, ...which }: UnarchivedResults & { limit: number },
): Promise<ResultOfChat[]> {
  return await unarchived(db, which)
    .select(["resultId", "botId", "lastChatSessionId"])
    .orderBy("resultId")
    .limit(limit)
    .execute()
}

/** Counts results of a bot that are not archived. */
export async function countUnarchived(db: Db, which: UnarchivedResults): Promise<number> {
  const { count } = await unarchived(db, which)
    .select(sql<number>`count(*)`.as("count"))
    .executeTakeFirstOrThrow()
  return count
}

function unarchived({ kysely }: Db, { botId, among, afterId, beforeId }: UnarchivedResults) {
  let query = kysely
    .selectFrom("results")
    .where("botId", "=", botId)
    // Written as in the index: the planner does not accept `= $n` as proof.
    .where(sql<boolean>`not is_archived`)
  if (among) query = query.where("resultId", "=", anyUuid(among))
  if (afterId !== undefined) query = query.where("resultId", ">", afterId)
  if (beforeId !== undefined) query = query.where("resultId", "<", beforeId)
  return query
}

/** Results of some bots: ids that the bots have nothing of are passed over. */
export type ResultsOfBots = { botIds: readonly string[]; resultIds: readonly string[] }

/** Lists the ids for which the bots have a result, a running chat or a key; these never change bots. */
export async function listOwned({ kysely }: Db, { botIds, resultIds }: ResultsOfBots) {
  const owned = new Set<string>()
  for (const table of ["results", "chatSessions", "keyedResults", "conversations"] as const) {
    const rows = await kysely
      .selectFrom(table)
      .select("resultId")
      .where("resultId", "=", anyUuid(resultIds))
      .where("botId", "=", anyText(botIds))
      .execute()
    for (const { resultId } of rows) owned.add(resultId)
  }
  return [...owned]
}

/**
 * Archives results of some bots and deletes all that belongs to them, even if they were archived before.
 * Skips ids of results of other bots. Returns those whose chats have lately
 * uploaded files, or could until now.
 */
export async function emptyResultRows(db: Db, meant: ResultsOfBots): Promise<ResultAddress[]> {
  if (meant.resultIds.length === 0) return []
  const resultIds = await listOwned(db, meant)
  if (resultIds.length === 0) return []
  const isMeant = sql<boolean>`result_id = ${anyUuid(resultIds)}`
  return await deleteContents(db, isMeant, (kysely) =>
    kysely
      .updateTable("results")
      .set({ isArchived: true, variables: "[]" })
      .where(isMeant)
      .where("botId", "=", anyText(meant.botIds))
      .returning(["resultId", "botId", "lastChatSessionId"])
      .execute(),
  )
}

/** Lines that a chat adds to the log of its result, which may have at most `most`. */
type LinesToAdd = ChatIds & {
  lines: readonly Omit<NewRow<"logs">, "resultId">[]
  most: number
}

/** `over`: the chat has ended, so nothing was stored. */
type AddedLines = "stored" | "full" | "over"

/**
 * Adds lines to the log of a result, outside of a turn: all, or none when there would be too many.
 * Writers to one result take turns, so that each counts the lines of all before it.
 */
export async function addLogs(
  db: Db,
  { resultId, sessionId, lines, most }: LinesToAdd,
): Promise<AddedLines> {
  if (lines.length === 0) return "stored"
  return await inTransaction(db, async (kysely) => {
    // First, as in save_turn: a deletion of the result waits for this, or has ended the chat before.
    if (!(await lockSession({ kysely }, { resultId, sessionId }))) return "over"
    await sql`select 1 from results where result_id = ${resultId} for no key update`.execute(kysely)
    const { count } = await kysely
      .selectFrom("logs")
      .select(sql<number>`count(*)`.as("count"))
      .where("resultId", "=", resultId)
      .executeTakeFirstOrThrow()
    if (count + lines.length > most) return "full"
    await kysely
      .insertInto("logs")
      .values(lines.map((line) => ({ resultId, ...line })))
      .execute()
    return "stored"
  })
}
