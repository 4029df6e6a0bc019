/** Keeps the calls of other systems to waiting chats until those chats take them. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { Row } from "../schema/tables.ts"
import { type ChatIds, lockSession } from "./sessions.ts"

/**
 * A call for one block of one session: the JSON text of the object that was sent. Its result id is that of
 * the session id, or its stand-in; calls are taken in the order of their ids, which are UUIDv7.
 */
export type WebhookCallRow = Omit<Row<"webhookCalls">, "deliveredStep" | "createdAt">

/** The wait of a session for a call. */
export type Wait = ChatIds & {
  blockId: string
  /** The session's step, which names this wait among later ones at the same block. */
  step: number
}

/** How long calls may be taken, in seconds. */
const keptSeconds = 24 * 60 * 60

/** `over`: the session has ended, so nothing was stored. */
type InsertedCall = "stored" | "full" | "over"

/**
 * Stores a call, unless `most` wait for their session already. Calls of one session are stored one after
 * the other, so that each counts all before it.
 */
export async function insertWebhookCall(
  db: Db,
  call: WebhookCallRow,
  most: number,
): Promise<InsertedCall> {
  return await inTransaction(db, async (kysely) => {
    if (!(await lockChat({ kysely }, call))) return "over"
    if ((await countWebhookCalls({ kysely }, call)) >= most) return "full"
    await kysely.insertInto("webhookCalls").values(call).execute()
    return "stored"
  })
}

/** Locks a session or a preview. False: there is no such one. */
async function lockChat({ kysely }: Source, ids: ChatIds) {
  if (await lockSession({ kysely }, ids)) return true
  const preview = await kysely
    .selectFrom("previewSessions")
    .select("id")
    .where("id", "=", ids.sessionId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return preview !== undefined
}

/** Counts the calls of a session that no turn has taken yet. */
async function countWebhookCalls({ kysely }: Source, { resultId, sessionId }: ChatIds) {
  const row = await kysely
    .selectFrom("webhookCalls")
    .select(sql<number>`count(*)`.as("count"))
    .where("resultId", "=", resultId)
    .where("sessionId", "=", sessionId)
    .where("deliveredStep", "is", null)
    .executeTakeFirstOrThrow()
  return row.count
}

const waitingCall = `where result_id = $1 and session_id = $2 and block_id = $3
    and (delivered_step = $4 or delivered_step is null)
    and created_at > now() - make_interval(secs => $5)
  order by delivered_step, id limit 1`

/** A call as its chat gets it. */
export type TakenCall = Pick<WebhookCallRow, "id" | "body">

/**
 * Finds the call that a wait would take: the one that it took before, or the oldest that no wait has taken.
 * Returns undefined when none has come yet.
 */
export async function findWebhookCall(db: Db, wait: Wait): Promise<TakenCall | undefined> {
  const text = `select id, body from webhook_calls ${waitingCall}`
  const rows = await db.run<TakenCall>({ name: "find_webhook_call", text }, valuesOf(wait))
  return rows[0]
}

/**
 * Takes the call of a wait, so that no later wait gets it. Returns undefined when none has come
 * yet. A turn that has to be repeated gets the same call again, as long as the session has not
 * moved on.
 */
export async function takeWebhookCall(db: Db, wait: Wait): Promise<TakenCall | undefined> {
  const text = `update webhook_calls set delivered_step = $4
where result_id = $1 and id = (
  select id from webhook_calls ${waitingCall}
)
returning id, body`
  const rows = await db.run<TakenCall>({ name: "take_webhook_call", text }, valuesOf(wait))
  return rows[0]
}

function valuesOf({ resultId, sessionId, blockId, step }: Wait): unknown[] {
  return [resultId, sessionId, blockId, step, keptSeconds]
}

export type CalledResult = {
  resultId: string
  /** Id of the latest call. */
  latest: string
  /** Whether a call waits for its turn. */
  isOpen: boolean
}

/** Returns those of the results that have calls. */
export async function listCalled(db: Db, resultIds: readonly string[]): Promise<CalledResult[]> {
  const text = `select result_id as "resultId", max(id::text) as latest,
  bool_or(delivered_step is null) as "isOpen"
from webhook_calls
where result_id = any($1) and created_at > now() - make_interval(secs => $2)
group by result_id`
  return await db.run<CalledResult>({ name: "list_called", text }, [[...resultIds], keptSeconds])
}

export async function deleteWebhookCalls(db: Db, { resultId, sessionId }: ChatIds) {
  await db.kysely
    .deleteFrom("webhookCalls")
    .where("resultId", "=", resultId)
    .where("sessionId", "=", sessionId)
    .execute()
}
