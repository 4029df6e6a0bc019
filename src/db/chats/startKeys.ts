/** Directory of keyed starts: which ids the first start with an Idempotency-Key was given. */
import type { Db } from "../connection/open.ts"
import type { Statement } from "../connection/pipelines.ts"

/** A keyed start and the ids it was given. */
export type StartKeyRow = {
  resultId: string
  sessionId: string
  /** SHA-256 of the request's body; another one under the same key is a mistake of the caller. */
  bodyHash: Buffer
}

/** Looks a keyed start up. */
export const findStartKeyStatement: Statement = {
  name: "find_start_key",
  text: `select result_id as "resultId", session_id as "sessionId", body_hash as "bodyHash"
from start_keys where key_id = $1`,
}

/** Registers a keyed start; the update that changes nothing returns the row of whoever was first. */
export const insertStartKeyStatement: Statement = {
  name: "insert_start_key",
  text: `insert into start_keys (key_id, result_id, session_id, body_hash) values ($1, $2, $3, $4)
on conflict (key_id) do update set session_id = start_keys.session_id
returning result_id as "resultId", session_id as "sessionId", body_hash as "bodyHash"`,
}

/** Finds a keyed start; `keyId` = the first 16 bytes of SHA-256 over bot, caller and key, as a UUID. */
export async function findStartKey(db: Db, keyId: string): Promise<StartKeyRow | undefined> {
  const rows = await db.run<StartKeyRow>(findStartKeyStatement, [keyId])
  return rows[0]
}

/** Registers a keyed start and returns the row that holds: the given one, or that of the first caller. */
export async function insertStartKey(
  db: Db,
  row: StartKeyRow & { keyId: string },
): Promise<StartKeyRow> {
  const { keyId, resultId, sessionId, bodyHash } = row
  const values = [keyId, resultId, sessionId, bodyHash]
  const rows = await db.run<StartKeyRow>(insertStartKeyStatement, values)
  return rows[0] ?? row
}
