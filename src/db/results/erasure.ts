/** Finds the conversations of a person by something that was said, and leaves nothing of them. */
import { sql } from "kysely"
import type { SessionAddress } from "../chats/sessions.ts"
import type { Db } from "../connection/open.ts"
import { anyText, anyUuid } from "../schema/anyOf.ts"
import {
  emptyResults,
  listOwned,
  listUnarchived,
  type ResultOfChat,
  type ResultsOfBots,
} from "./results.ts"
import { beginningsOf, forgetTold, listSessionsOf } from "./retention.ts"

/** Most results, running chats or previews that one statement looks at. */
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

/** Part of a search: results of a bot after one of them. */
export type SearchPart = { botId: string; afterId: string | undefined; words: readonly string[] }

/**
 * Searches the next results of a bot for an answer, a value that a variable has or had, a line that was
 * shown, or a message kept in a pause that equals one of the words, which are lower case as `wordsOf` makes them. Returns up
 * to where; undefined: it was the last part.
 */
export async function searchResults(
  db: Db,
  { botId, afterId, words }: SearchPart,
): Promise<{ found: ResultOfChat[]; until: string | undefined }> {
  const part = await listUnarchived(db, { botId, afterId, limit: partSize })
  const resultIds = part.map(({ resultId }) => resultId)
  const found = await searchIn(db, { botIds: [botId], resultIds, words })
  return { found, until: resultIds.length < partSize ? undefined : resultIds.at(-1) }
}

/** Those of some results that `searchResults` finds. */
export async function searchAmong(db: Db, among: SearchedResults): Promise<Set<string>> {
  const found = await searchIn(db, among)
  return new Set(found.map(({ resultId }) => resultId))
}

type SearchedResults = ResultsOfBots & { words: readonly string[] }

/**
 * One query per table, and the ids twice in each: the planner would read all answers of all bots for
 * an `or`, or for a span of ids. A cluster takes no subquery below one that reads from a function, so
 * the paths go into lists.
 */
async function searchIn(db: Db, searched: SearchedResults): Promise<ResultOfChat[]> {
  const { botIds, resultIds, words } = searched
  if (resultIds.length === 0) return []
  const ids = anyUuid(resultIds)
  const equals = anyText(words)
  const columns = sql`select r.result_id, r.last_chat_session_id from results r`
  const isMeant = sql`r.result_id = ${ids} and not r.is_archived
    and r.bot_id = ${anyText(botIds)}`
  const isShown = (table: "a" | "s") => sql`exists (
    select from jsonb_path_query(${sql.ref(`${table}.shown`)}, '$[*].t') as value
    where lower(value #>> '{}') = ${equals})`
  const inAnswers = await sql<ResultOfChat>`
    ${columns} join answers a on a.result_id = r.result_id
    where ${isMeant} and a.result_id = ${ids}
      and (lower(a.content) = ${equals} or ${isShown("a")})`.execute(db.kysely)
  const inVariables = await sql<ResultOfChat>`
    ${columns} where ${isMeant} and exists (
      select from jsonb_path_query(r.variables, '$[*].value[*]') as value
      where lower(value #>> '{}') = ${equals})`.execute(db.kysely)
  const inSteps = await sql<ResultOfChat>`
    ${columns} join result_steps s on s.result_id = r.result_id
    where ${isMeant} and s.result_id = ${ids} and (exists (
      select from jsonb_path_query(s.set_variables, '$[*].value[*]') as value
      where lower(value #>> '{}') = ${equals}) or ${isShown("s")})`.execute(db.kysely)
  const inKept = await sql<ResultOfChat>`
    ${columns} join kept_messages k on k.result_id = r.result_id
    where ${isMeant} and k.result_id = ${ids} and exists (
      select from jsonb_path_query(k.message, '$.**') as value
      where lower(value #>> '{}') = ${equals})`.execute(db.kysely)
  const rows = [inAnswers, inVariables, inSteps, inKept].flatMap((query) => query.rows)
  return [...new Map(rows.map((row) => [row.resultId, row])).values()]
}

/**
 * The ways to write a word that a comparison with `lower` needs: a database whose locale is C knows no
 * more letters than those of ASCII.
 */
export function wordsOf(value: string): string[] {
  const ways = [value, value.toLowerCase(), value.toUpperCase()]
  const lowered = ways.flatMap((way) => [
    way.toLowerCase(),
    way.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  ])
  return [...new Set(lowered)]
}

/** A result of a key of the caller's own. */
export type KeyedResult = ResultOfChat & { botId: string }

/** The results of a key in some bots, or of any key that is one of the words. */
export async function searchKeys(
  { kysely }: Db,
  {
    botIds,
    key,
    words,
  }: { botIds: readonly string[]; key: string | undefined; words: readonly string[] },
): Promise<KeyedResult[]> {
  // Each by an index of its own: an `or` would read all keys of the bots.
  const ways = [sql`key = ${key ?? null}`, sql`lower(key) = ${anyText(words)}`]
  // A key whose first message could not be answered has no result.
  const parts = ["keyed_results", "conversations"].flatMap((table) =>
    ways.map(
      (isMeant) => sql<KeyedResult>`
        select bot_id, result_id, null as last_chat_session_id from ${sql.table(table)}
        where bot_id = ${anyText(botIds)} and ${isMeant}`,
    ),
  )
  const { rows } = await sql<KeyedResult>`${sql.join(parts, sql` union `)}`.execute(kysely)
  return rows
}

/**
 * The results of linked bots that the chats of some results have written to, as their ways tell; only
 * such of the bots that are searched.
 */
export async function listLinked(
  { kysely }: Db,
  { botIds, resultIds }: ResultsOfBots,
): Promise<KeyedResult[]> {
  const { rows } = await sql<{ id: string }>`
    select jsonb_path_query(shown, '$[*].r') #>> '{}' as id from answers
    where result_id = ${anyUuid(resultIds)}
    union
    select jsonb_path_query(shown, '$[*].r') #>> '{}' as id from result_steps
    where result_id = ${anyUuid(resultIds)}
    union
    -- As releases before 0035 told it.
    select jsonb_path_query(trace, '$.path[*].r') #>> '{}' as id from result_steps
    where result_id = ${anyUuid(resultIds)}`.execute(kysely)
  return await kysely
    .selectFrom("results")
    .select(["botId", "resultId", "lastChatSessionId"])
    .where("resultId", "=", anyUuid(rows.map(({ id }) => id)))
    .where("botId", "=", anyText(botIds))
    .where(sql<boolean>`not is_archived`)
    .execute()
}

/** A running chat, and its state. */
export type SearchedSession = SessionAddress & { botId: string; state: string | null }

/**
 * Lists the running chats after one, with the state of those of some bots whose state holds one of
 * the words somewhere: at most `partSize`.
 */
export async function searchSessions(
  db: Db,
  { botIds, after, words }: SessionSearch,
): Promise<SearchedSession[]> {
  const { rows } = await sql<SearchedSession>`
    select result_id, id, bot_id, case when bot_id = ${anyText(botIds)}
      and lower(state) like ${anyText(patternsOf(words))} then state end as state
    from chat_sessions where (result_id, id) > (${after.resultId}::uuid, ${after.id})
    order by result_id, id limit ${sql.lit(partSize)}`.execute(db.kysely)
  return rows
}

/** Patterns of `like` for the JSON texts that hold one of the words. */
function patternsOf(words: readonly string[]): string[] {
  return words.map((word) => {
    const inJson = JSON.stringify(word).slice(1, -1)
    return `%${inJson.replace(/[\\%_]/g, "\\$&")}%`
  })
}

/** Which running chats to search. */
export type SessionSearch = {
  botIds: readonly string[]
  after: SessionAddress
  words: readonly string[]
}

/** Lists the running previews of some bots after one, as `searchSessions` does chats. */
export async function searchPreviews(
  { kysely }: Db,
  { botIds, afterId, words }: Omit<SessionSearch, "after"> & { afterId: string },
): Promise<{ id: string; state: string | null }[]> {
  const { rows } = await sql<{ id: string; state: string | null }>`
    select id, case when lower(state) like ${anyText(patternsOf(words))} then state end as state
    from preview_sessions where id > ${afterId} and bot_id = ${anyText(botIds)}
    order by id limit ${sql.lit(partSize)}`.execute(kysely)
  return rows
}

/** Ends previews of some bots; the responses that are kept of them go with their rows. */
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

/** What to erase, and who may reach how far. */
type Erased = {
  results: readonly ResultOfChat[]
  /** The bots whose results may go. */
  botIds: readonly string[]
  /** The bots of the workspace: a chat that began with one of them may be in one that is erased. */
  workspaceBotIds: readonly string[]
}

/**
 * Ends the chats that may still write to some results, and empties those. A turn that is being
 * stored is waited for and then emptied, too; one that comes later finds no session.
 */
export async function eraseResults(
  db: Db,
  { results, botIds, workspaceBotIds }: Erased,
): Promise<void> {
  const begun = { botIds: workspaceBotIds, resultIds: beginningsOf(results) }
  const beginnings = await listOwned(db, begun)
  for (const { resultId, id } of await listSessionsOf(db, results)) {
    await db.kysely
      .deleteFrom("chatSessions")
      .where("resultId", "=", resultId)
      .where("id", "=", id)
      .where("botId", "=", anyText(workspaceBotIds))
      .execute()
  }
  await emptyResults(db, { botIds, resultIds: results.map(({ resultId }) => resultId) })
  await forgetTold(db, beginnings)
}
