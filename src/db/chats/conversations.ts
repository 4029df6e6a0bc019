/** The directory of conversations: the chat of a caller's own key, and how chats ended. */
import { sql } from "kysely"
import { batchSize } from "../../lib/batches.ts"
import type { Db } from "../connection/openDatabase.ts"
import { anyText, anyUuid } from "../schema/anyOf.ts"
import type { EndState } from "../schema/hotTables.ts"
import type { Row } from "../schema/tables.ts"
import type { ChatIds } from "./sessions.ts"

/** A key with the bot that it is used with, and its chat; `keyId` is derived from key and bot. */
type KeyedChat = Omit<Row<"conversations">, "createdAt">

const ids = `result_id as "resultId", session_id as "sessionId"`

/** Finds the chat of a key, which may be over. Returns undefined for an unused key. */
export async function findConversation(db: Db, keyId: string): Promise<ChatIds | undefined> {
  const text = `select ${ids} from conversations where key_id = $1`
  const rows = await db.run<ChatIds>({ name: "find_conversation", text }, [keyId])
  return rows[0]
}

/** Registers the first chat of a key. Returns the one that counts: this, or that of the first. */
export async function insertConversation(db: Db, chat: KeyedChat): Promise<ChatIds> {
  const { keyId, botId, key, resultId, sessionId } = chat
  // The update changes nothing, but returns the row of the first caller.
  const text = `insert into conversations (key_id, bot_id, key, result_id, session_id)
values ($1, $2, $3, $4, $5)
on conflict (key_id) do update set session_id = conversations.session_id
returning ${ids}`
  const values = [keyId, botId, key, resultId, sessionId]
  const rows = await db.run<ChatIds>({ name: "insert_conversation", text }, values)
  return rows[0] ?? { resultId, sessionId }
}

/** Points a key to another chat, if it still points to the ended one. */
export async function replaceConversation(
  db: Db,
  keyId: string,
  { over, next }: { over: string; next: ChatIds },
): Promise<void> {
  const text = `update conversations set result_id = $3, session_id = $4, created_at = now()
where key_id = $1 and session_id = $2`
  await db.run({ name: "replace_conversation", text }, [keyId, over, next.resultId, next.sessionId])
}

/** Moves a keyed message, unanswered in its chat, to the next one. */
export async function moveStartKey(
  db: Db,
  keyId: string,
  { from, to }: { from: string; to: ChatIds },
): Promise<void> {
  const text = `update start_keys set result_id = $3, session_id = $4
where key_id = $1 and session_id = $2`
  await db.run({ name: "move_start_key", text }, [keyId, from, to.resultId, to.sessionId])
}

/** How a chat without a session ended. */
export type Ending = {
  botId: string
  versionId: string
  state: EndState
  /** Null: only the result is known. */
  endedAt: Date | null
  /** As the result has them. */
  variables: { name: string; value?: unknown }[]
}

/** Finds how a chat ended. Returns undefined when that is unknown or the chat never existed. */
export async function findEnding(db: Db, { resultId, sessionId }: ChatIds) {
  // Usually there is no row about it: their result is completed when the flow ended, and not when they fell
  // silent.
  const text = `select r.bot_id as "botId", r.version_id as "versionId", r.variables,
  coalesce(e.state, case when r.is_completed then 'ended' else 'expired' end) as state,
  e.ended_at as "endedAt"
from results r
left join ended_chats e on e.result_id = r.result_id and e.session_id = $2
where r.result_id = $1 and (e.session_id = $2 or r.last_chat_session_id = $2)`
  const rows = await db.run<Ending>({ name: "find_ending", text }, [resultId, sessionId])
  return rows[0]
}

export type ShownSession = Omit<
  Row<"chatSessions">,
  "revision" | "claimedUntil" | "claimedBy" | "createdAt"
> & { isExpired: boolean }

export async function listSessions(db: Db, resultIds: readonly string[]): Promise<ShownSession[]> {
  const { rows } = await sql<ShownSession>`
    select result_id, id, bot_id, version_id, state, expires_at, updated_at,
      coalesce(expires_at < now(), false) as is_expired
    from chat_sessions where result_id = ${anyUuid(resultIds)}`.execute(db.kysely)
  return rows
}

/** The revisions of the running sessions of results, by session. */
export async function listRevisions(db: Db, resultIds: readonly string[]) {
  const text = "select id, revision from chat_sessions where result_id = any($1)"
  const statement = { name: "list_revisions", text }
  const rows = await db.run<{ id: string; revision: number }>(statement, [[...resultIds]])
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/** A chat with its key, if it has one, as lists have them. */
export type ListedConversation = ChatIds & { key: string | undefined }

type ListedPage = { botId: string; startAt: string | undefined; limit: number }

/** Lists the conversations of a bot, the latest first, from a result on. */
export async function listConversations(
  db: Db,
  { botId, startAt, limit }: ListedPage,
): Promise<ListedConversation[]> {
  let query = db.kysely
    .selectFrom("conversations")
    .select(["key", "resultId", "sessionId"])
    .where("botId", "=", botId)
    .orderBy("resultId", "desc")
    .limit(limit)
  if (startAt !== undefined) query = query.where("resultId", "<=", startAt)
  return await query.execute()
}

/** Lists the last chats of the results of a bot that have an answer, with a key or without, the latest first. */
export async function listAnsweredChats(
  db: Db,
  { botId, startAt, limit }: ListedPage,
): Promise<ListedConversation[]> {
  let query = db.kysely
    .selectFrom("results")
    .leftJoin("keyedResults", "keyedResults.resultId", "results.resultId")
    .select(["results.resultId", "results.lastChatSessionId", "keyedResults.key"])
    .where("results.botId", "=", botId)
    // Written as in the index: the planner does not accept `= $n` as proof.
    .where(sql<boolean>`has_started and not is_archived`)
    .orderBy("results.resultId", "desc")
    .limit(limit)
  if (startAt !== undefined) query = query.where("results.resultId", "<=", startAt)
  const rows = await query.execute()
  return rows.map(({ resultId, lastChatSessionId, key }) => ({
    resultId,
    // Chats that left no session are not shown.
    sessionId: lastChatSessionId ?? "",
    key: key ?? undefined,
  }))
}

/** Lists how chats of several results ended; those without a result are missing. */
export async function listEndings(db: Db, chats: readonly ChatIds[]) {
  const resultIds = chats.map(({ resultId }) => resultId)
  const sessionIds = chats.map(({ sessionId }) => sessionId)
  const { rows } = await sql<Ending & ChatIds>`
    select r.result_id, r.last_chat_session_id as session_id, r.bot_id, r.version_id, r.variables,
      coalesce(e.state, case when r.is_completed then 'ended' else 'expired' end) as state,
      e.ended_at
    from results r
    left join ended_chats e
      on e.result_id = r.result_id and e.session_id = r.last_chat_session_id
    where r.result_id = ${anyUuid(resultIds)}
      and r.last_chat_session_id = ${anyText(sessionIds)}`.execute(db.kysely)
  return rows
}

/** Lists the result ids of keys, after one and before another, at most a batch. */
export async function listKeyedIds(
  db: Db,
  { afterId, beforeId }: { afterId: string; beforeId: string },
): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("conversations")
    .select("resultId")
    .where("resultId", ">", afterId)
    .where("resultId", "<", beforeId)
    .orderBy("resultId")
    .limit(batchSize)
    .execute()
  return rows.map(({ resultId }) => resultId)
}

/** Lists those of some result ids that have neither a result nor a running chat. */
export async function listUnused(db: Db, resultIds: readonly string[]): Promise<string[]> {
  const among = anyUuid(resultIds)
  // On a cluster, keys are distributed by themselves and cannot be joined with results.
  const of = (table: "results" | "chatSessions") =>
    db.kysely.selectFrom(table).select("resultId").where("resultId", "=", among).execute()
  const used = await Promise.all([of("results"), of("chatSessions")])
  const usedIds = new Set(used.flat().map(({ resultId }) => resultId))
  return resultIds.filter((id) => !usedIds.has(id))
}

export async function deleteKeys(db: Db, resultIds: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("conversations")
    .where("resultId", "=", anyUuid(resultIds))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Which chats to count: those of some versions of a bot, with this result id or a later one. */
type OpenChats = { botId: string; versionIds: readonly string[]; fromId: string }

/** Counts the chats that may still be continued, by version; versions without any are missing. */
export async function countOpenChats(db: Db, { botId, versionIds, fromId }: OpenChats) {
  // Through the results, which have an index by bot.
  const { rows } = await sql<{ versionId: string; count: number }>`
    select s.version_id as "versionId", count(*)::int as count
    from results r join chat_sessions s on s.result_id = r.result_id
    where r.bot_id = ${botId} and not r.is_archived and r.result_id >= ${fromId}
      and s.version_id = ${anyUuid(versionIds)}
    group by s.version_id`.execute(db.kysely)
  return new Map(rows.map(({ versionId, count }) => [versionId, count]))
}
