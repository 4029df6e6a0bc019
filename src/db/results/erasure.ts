/** Finds the conversations of a person by something that was said, and leaves nothing of them. */
import { sql } from "kysely"
import type { SessionAddress } from "../chats/sessions.ts"
import type { Db } from "../connection/open.ts"
import { emptyResults } from "./results.ts"
import { listSessionsOf, type ResultOfChat } from "./retention.ts"

/** Most results, or sessions, that one statement looks at. */
export const searchSize = 5_000

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

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
 * Searches the next results of a bot for an answer or a variable that equals one of the words, which
 * are lower case as `wordsOf` makes them. Returns up to where; undefined: it was the last part.
 */
export async function searchResults(
  db: Db,
  { botId, afterId, words }: SearchPart,
): Promise<{ found: ResultOfChat[]; until: string | undefined }> {
  const until = await findEnd(db, { botId, afterId })
  const after = afterId ?? "00000000-0000-0000-0000-000000000000"
  const last = until ?? lastId
  const { rows } = await sql<ResultOfChat>`
    select r.result_id, r.last_chat_session_id from results r
    where r.bot_id = ${botId} and not r.is_archived
      and r.result_id > ${after}::uuid and r.result_id <= ${last}::uuid and ${says(words)}
    order by r.result_id`.execute(db.kysely)
  return { found: rows, until }
}

/** Those of some results that `searchResults` finds. */
export async function searchAmong(
  db: Db,
  { resultIds, words }: { resultIds: readonly string[]; words: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ resultId: string }>`
    select r.result_id from results r where r.result_id = any(${[...resultIds]}::uuid[])
      and not r.is_archived and ${says(words)}`.execute(db.kysely)
  return new Set(rows.map(({ resultId }) => resultId))
}

/**
 * Whether an answer of a result, or a variable or an element of one, is one of the words. A cluster
 * takes no subquery below one that reads from a function, so the path goes into lists.
 */
function says(words: readonly string[]) {
  const equals = sql`any(${[...words]}::text[])`
  return sql`(exists (select from answers a
      where a.result_id = r.result_id and lower(a.content) = ${equals})
    or exists (select from jsonb_path_query(r.variables, '$[*].value[*]') as value
      where lower(value #>> '{}') = ${equals}))`
}

async function findEnd(
  db: Db,
  { botId, afterId }: Omit<SearchPart, "words">,
): Promise<string | undefined> {
  let query = db.kysely
    .selectFrom("results")
    .select("resultId")
    .where("botId", "=", botId)
    .where(sql<boolean>`not is_archived`)
    .orderBy("resultId")
    .offset(searchSize - 1)
    .limit(1)
  if (afterId !== undefined) query = query.where("resultId", ">", afterId)
  return (await query.executeTakeFirst())?.resultId
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
  const isMeant = sql`bot_id = any(${[...botIds]}::text[])
    and (key = ${key ?? null} or lower(key) = any(${[...words]}::text[]))`
  // A key whose first message could not be answered has no result.
  const { rows } = await sql<KeyedResult>`
    select bot_id, result_id, null as last_chat_session_id from keyed_results where ${isMeant}
    union select bot_id, result_id, null from conversations where ${isMeant}`.execute(kysely)
  return rows
}

/** The results of linked bots that the chats of some results have written to, as their ways tell. */
export async function listLinked(
  { kysely }: Db,
  { botIds, resultIds }: { botIds: readonly string[]; resultIds: readonly string[] },
): Promise<KeyedResult[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct jsonb_path_query(trace, '$.path[*].r') #>> '{}' as id from result_steps
    where result_id = any(${[...resultIds]}::uuid[])`.execute(kysely)
  return await kysely
    .selectFrom("results")
    .select(["botId", "resultId", "lastChatSessionId"])
    .where("resultId", "=", sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`)
    .where("botId", "=", sql<string>`any(${[...botIds]}::text[])`)
    .where(sql<boolean>`not is_archived`)
    .execute()
}

/** A running chat, and its state. */
export type SearchedSession = SessionAddress & { botId: string; state: string | null }

/**
 * Lists the running chats after one, with the state of those of some bots whose state holds one of
 * the words somewhere: at most `searchSize`.
 */
export async function searchSessions(
  db: Db,
  { botIds, after, words }: SessionSearch,
): Promise<SearchedSession[]> {
  const patterns = words.map((word) => {
    const inJson = JSON.stringify(word).slice(1, -1)
    return `%${inJson.replace(/[\\%_]/g, "\\$&")}%`
  })
  const { rows } = await sql<SearchedSession>`
    select result_id, id, bot_id, case when bot_id = any(${[...botIds]}::text[])
      and lower(state) like any(${patterns}::text[]) then state end as state
    from chat_sessions where (result_id, id) > (${after.resultId}::uuid, ${after.id})
    order by result_id, id limit ${sql.lit(searchSize)}`.execute(db.kysely)
  return rows
}

/** Which running chats to search. */
export type SessionSearch = {
  botIds: readonly string[]
  after: SessionAddress
  words: readonly string[]
}

/**
 * Ends the chats that may still write to some results, and empties those. A turn that is being
 * stored is waited for and then emptied, too; one that comes later finds no session.
 */
export async function eraseResults(db: Db, results: readonly ResultOfChat[]): Promise<void> {
  for (const { resultId, id } of await listSessionsOf(db, results)) {
    await db.kysely
      .deleteFrom("chatSessions")
      .where("resultId", "=", resultId)
      .where("id", "=", id)
      .execute()
    await db.kysely.deleteFrom("idempotency").where("resultId", "=", resultId).execute()
  }
  await emptyResults(
    db,
    results.map(({ resultId }) => resultId),
  )
}
