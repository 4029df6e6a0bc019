/** Finds the conversations of a person by words said, or by their key. */
import { type RawBuilder, sql } from "kysely"
import type { ChatIds } from "../chats/sessions.ts"
import type { Db } from "../connection/openDatabase.ts"
import { anyText, anyUuid } from "../schema/anyOf.ts"
import type { ResultOfChat } from "./resultAddress.ts"
import type { ResultsOfBots } from "./results.ts"

/** Max results, running chats or previews per statement. */
export const partSize = 250

/** Lists the bots of a workspace, archived ones too, by id. */
export async function listBotIds({ kysely }: Db, workspaceId: string): Promise<string[]> {
  const rows = await kysely
    .selectFrom("bots")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .orderBy("id")
    .execute()
  return rows.map(({ id }) => id)
}

/** The search terms. */
export type Sought = {
  /** In lower case and composed form (NFC). */
  words: readonly string[]
  /** True: a text only has to contain one of them. Absent: it equals one. */
  isPart?: boolean | undefined
}

/** Which results to search, and for what. */
type Searched = ResultsOfBots & Sought

/**
 * Those of some results with an answer, a value that a variable has or had, a line that was shown, or a
 * message that the bot did not hear that equals one of the words in lower case, whether accents are characters of their own or not. If parts are sought, also
 * those whose key has one, but not those with one in a line of the bot, which may be the same for all.
 *
 * One query per table, and the ids twice in each: the planner would read all answers of all bots for
 * an `or`, or for a span of ids. A cluster takes no subquery below one that reads from a function, so
 * the paths go into lists.
 */
export async function searchAmong(db: Db, { botIds, resultIds, words, isPart }: Searched) {
  if (resultIds.length === 0) return []
  const ids = anyUuid(resultIds)
  const matches = (text: RawBuilder<unknown>) =>
    isPart
      ? sql`lower(normalize(${text})) like ${anyText(words.map(containing))}`
      : sql`lower(normalize(${text})) = ${anyText(words)}`
  const columns = sql`select r.result_id, r.bot_id, r.last_chat_session_id from results r`
  const isMeant = sql`r.result_id = ${ids} and not r.is_archived and r.bot_id = ${anyText(botIds)}`
  const holds = (json: RawBuilder<unknown>, path: string) => sql`exists (
    select from jsonb_path_query(${json}, ${sql.lit(path)}) as value
    where ${matches(sql`value #>> '{}'`)})`
  const joined = (table: string, isFound: RawBuilder<unknown>) => sql<ResultOfChat>`
    ${columns} join ${sql.table(table)} x on x.result_id = r.result_id
    where ${isMeant} and x.result_id = ${ids} and (${isFound})`
  const values = "$[*].value[*]"
  // Only lines of people name what they answer (`a`).
  const shown = holds(sql`x.shown`, isPart ? "$[*] ? (exists(@.a)).t" : "$[*].t")
  const queries = [
    joined("answers", sql`${matches(sql`x.content`)} or ${shown}`),
    sql<ResultOfChat>`${columns} where ${isMeant} and ${holds(sql`r.variables`, values)}`,
    joined("result_steps", sql`${holds(sql`x.set_variables`, values)} or ${shown}`),
    joined("kept_messages", holds(sql`x.message - 'type'`, '$.** ? (@.type() == "string")')),
    ...(isPart ? [joined("keyed_results", matches(sql`x.key`))] : []),
  ]
  const found = new Map<string, ResultOfChat>()
  for (const query of queries) {
    for (const row of (await query.execute(db.kysely)).rows) found.set(row.resultId, row)
  }
  return [...found.values()]
}

/** The results of a key in some bots, or of any key that is one of the words. */
export async function searchKeys(
  { kysely }: Db,
  asked: { botIds: readonly string[]; key: string | undefined; words: readonly string[] },
): Promise<ResultOfChat[]> {
  const { botIds, key, words } = asked
  // Each by an index of its own: an `or` would read all keys of the bots.
  // As stored, for the index.
  const spellings = words.flatMap((word) => [word, word.normalize("NFD")])
  const ways = [sql`key = ${key ?? null}`, sql`lower(key) = ${anyText(spellings)}`]
  // A key whose first message could not be answered has no result.
  const parts = ["keyed_results", "conversations"].flatMap((table) =>
    ways.map(
      (isMeant) => sql<ResultOfChat>`
        select bot_id, result_id, null as last_chat_session_id from ${sql.table(table)}
        where bot_id = ${anyText(botIds)} and ${isMeant}`,
    ),
  )
  const { rows } = await sql<ResultOfChat>`${sql.join(parts, sql` union `)}`.execute(kysely)
  return rows
}

/** The ids of the results that the chats of some results have left in linked bots, as recorded turns name them. */
export async function listLinkedIds({ kysely }: Db, resultIds: readonly string[]) {
  const named = (table: string, column: string, path: string) => sql`
    select jsonb_path_query(${sql.ref(column)}, ${sql.lit(path)}) #>> '{}' as id
    from ${sql.table(table)} where result_id = ${anyUuid(resultIds)}`
  const parts = [
    named("answers", "shown", "$[*].r"),
    named("result_steps", "shown", "$[*].r"),
    // Where early versions before 0.2.0 recorded it.
    named("result_steps", "trace", "$.path[*].r"),
  ]
  const { rows } = await sql<{ id: string }>`${sql.join(parts, sql` union `)}`.execute(kysely)
  return rows.map(({ id }) => id)
}

/** Those of the linked results that belong to the bots that are searched. */
export async function listLinked(db: Db, { botIds, resultIds }: ResultsOfBots) {
  return await db.kysely
    .selectFrom("results")
    .select(["botId", "resultId", "lastChatSessionId"])
    .where("resultId", "=", anyUuid(await listLinkedIds(db, resultIds)))
    .where("botId", "=", anyText(botIds))
    .where(sql<boolean>`not is_archived`)
    .execute()
}

/** A running chat, and its state. */
export type SearchedSession = ChatIds & { botId: string; state: string | null }

/**
 * Lists the running chats after one, with the state of those of some bots whose state holds one of
 * the words somewhere: at most `partSize`.
 */
export async function searchSessions(db: Db, { botIds, after, words }: SessionSearch) {
  const { rows } = await sql<SearchedSession>`
    select result_id, id as session_id, bot_id, case when bot_id = ${anyText(botIds)}
      and lower(normalize(state)) like ${anyText(patternsOf(words))} then state end as state
    from chat_sessions where (result_id, id) > (${after.resultId}::uuid, ${after.sessionId})
    order by result_id, id limit ${sql.lit(partSize)}`.execute(db.kysely)
  return rows
}

/** Patterns of `like` for the JSON texts that hold one of the words. */
function patternsOf(words: readonly string[]): string[] {
  return words.map((word) => containing(JSON.stringify(word).slice(1, -1).normalize()))
}

function containing(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`
}

/** Which running chats to search. */
export type SessionSearch = {
  botIds: readonly string[]
  after: ChatIds
  words: readonly string[]
}

/** Lists the running previews of some bots after one, as `searchSessions` lists chats. */
export async function searchPreviews(
  { kysely }: Db,
  { botIds, afterId, words }: Omit<SessionSearch, "after"> & { afterId: string },
): Promise<{ id: string; state: string | null }[]> {
  const { rows } = await sql<{ id: string; state: string | null }>`
    select id, case when lower(normalize(state)) like ${anyText(patternsOf(words))} then state end as state
    from preview_sessions where id > ${afterId} and bot_id = ${anyText(botIds)}
    order by id limit ${sql.lit(partSize)}`.execute(kysely)
  return rows
}

/** A state that a preview has left and may go back to. */
export type LeftState = { id: string; revision: number; state: string | null }

/** Lists the states that previews of some bots have left, after one, as `searchPreviews` lists previews. */
export async function searchLeftStates(
  { kysely }: Db,
  asked: Omit<SessionSearch, "after"> & { after: Pick<LeftState, "id" | "revision"> },
): Promise<LeftState[]> {
  const { botIds, after, words } = asked
  const { rows } = await sql<LeftState>`
    select k.session_id as id, k.revision,
      case when lower(normalize(k.state)) like ${anyText(patternsOf(words))} then k.state end as state
    from preview_states k join preview_sessions s on s.id = k.session_id
    where (k.session_id, k.revision) > (${after.id}, ${after.revision}) and s.bot_id = ${anyText(botIds)}
    order by k.session_id, k.revision limit ${sql.lit(partSize)}`.execute(kysely)
  return rows
}

/** Ends previews of some bots; their stored responses and states are deleted with them. */
export async function erasePreviews(
  { kysely }: Db,
  { botIds, ids }: { botIds: readonly string[]; ids: readonly string[] },
): Promise<void> {
  await kysely
    .deleteFrom("previewSessions")
    .where("id", "in", [...ids])
    .where("botId", "in", [...botIds])
    .execute()
}
