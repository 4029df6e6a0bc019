/** Finds how long bots keep results, and which of these chats may still write to. */
import { sql } from "kysely"
import { resultIdOfSession } from "../../lib/ids.ts"
import type { ChatIds } from "../chats/sessions.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import { anyText, anyUuid } from "../schema/anyOf.ts"
import type { ResultOfChat } from "./resultAddress.ts"

/** A bot and the version of it that was live last. */
type LastLive = { botId: string; versionId: string }

/** Lists the bots that were ever live. */
export async function listLastLive(db: Db): Promise<LastLive[]> {
  const { rows } = await sql<LastLive>`
    select distinct on (bot_id) bot_id, version_id from publications
    where version_id is not null order by bot_id, at desc`.execute(db.kysely)
  return rows
}

/** The days that versions keep results; those that leave it to the service are missing. */
export async function findRetention(db: Db, versionIds: readonly string[]) {
  const { rows } = await sql<{ id: string; days: number }>`
    select id, (payload->'settings'->'sessions'->>'retentionDays')::int as days from bot_versions
    where id = ${anyUuid(versionIds)}
      and jsonb_typeof(payload->'settings'->'sessions'->'retentionDays') = 'number'
    `.execute(db.kysely)
  return new Map(rows.map(({ id, days }) => [id, days]))
}

/** Lists those of some results whose chats have moved since a moment. */
export async function listMovedSince(
  { kysely }: Db,
  results: readonly ResultOfChat[],
  since: Date,
): Promise<string[]> {
  const ids = results.map(({ resultId }) => resultId)
  const among = anyUuid(ids)
  const of = (table: "answers" | "resultSteps") =>
    kysely
      .selectFrom(table)
      .select("resultId")
      .where("resultId", "=", among)
      .where("createdAt", ">=", since)
      .execute()
  const ended = kysely
    .selectFrom("endedChats")
    .select("resultId")
    .where("resultId", "=", among)
    .where("endedAt", ">=", since)
    .execute()
  const rows = await Promise.all([of("answers"), of("resultSteps"), ended])
  return rows.flat().map(({ resultId }) => resultId)
}

/**
 * Lists the sessions that may write to results: their own, and those of chats in which a linked bot
 * recorded the result. With `openSince` only those that may still be continued.
 */
export async function listSessionsOf(
  db: Source,
  results: readonly ResultOfChat[],
  openSince?: Date,
): Promise<ChatIds[]> {
  const sessionIds = results.flatMap(({ lastChatSessionId }) => lastChatSessionId ?? [])
  const resultIds = new Set([
    ...results.map(({ resultId }) => resultId),
    ...sessionIds.flatMap((id) => resultIdOfSession(id) ?? []),
  ])
  const isOpen = sql<boolean>`case when expires_at is null then updated_at >= ${openSince ?? null}
    else expires_at >= now() end`
  return await db.kysely
    .selectFrom("chatSessions")
    .select(["resultId", "id as sessionId"])
    .where("resultId", "=", anyUuid([...resultIds]))
    .$if(openSince !== undefined, (query) => query.where(isOpen))
    .execute()
}

/** Ends a chat if it belongs to one of some bots. */
export async function deleteSession(
  { kysely }: Source,
  { resultId, sessionId }: ChatIds,
  botIds: readonly string[],
): Promise<void> {
  await kysely
    .deleteFrom("chatSessions")
    .where("resultId", "=", resultId)
    .where("id", "=", sessionId)
    .where("botId", "=", anyText(botIds))
    .execute()
}

/** Deletes logs, stored responses, calls and events of chats, by the results that they began with. */
export async function deleteTraffic({ kysely }: Source, resultIds: readonly string[]) {
  if (resultIds.length === 0) return
  for (const table of trafficTables) {
    await kysely.deleteFrom(table).where("resultId", "=", anyUuid(resultIds)).execute()
  }
}

/** Tables that chats need to continue, and of events: results need none of them. */
const passingTables = [
  "idempotency",
  "webhookCalls",
  "sessionEvents",
  "outbox",
  "eventBodies",
  "deliveries",
] as const

const trafficTables = ["logs", ...passingTables] as const

/** Ends the chats that began with results of a bot; their records stay. */
export async function endSessions(
  db: Db,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<void> {
  if (resultIds.length === 0) return
  await inTransaction(db, async (kysely) => {
    // First, as in save_turn: this waits for a turn that is being stored, and a later one finds nothing.
    await kysely
      .deleteFrom("chatSessions")
      .where("resultId", "=", anyUuid(resultIds))
      .where("botId", "=", botId)
      .execute()
    for (const table of ["timers", ...passingTables] as const) {
      await kysely.deleteFrom(table).where("resultId", "=", anyUuid(resultIds)).execute()
    }
  })
}
