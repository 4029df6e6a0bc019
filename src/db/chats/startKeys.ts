/** The directory of keyed starts: which ids the first start with an Idempotency-Key received. */
import type { Db } from "../connection/openDatabase.ts"
import type { Row } from "../schema/tables.ts"

/**
 * A keyed start: its ids, and the SHA-256 of the request's body; a different body under the same key is a
 * mistake of the caller.
 */
export type StartKeyRow = Omit<Row<"startKeys">, "keyId" | "createdAt">

/**
 * Registers a keyed start and returns the row that counts: this one, or that of the first caller.
 * `keyId` is the first 16 bytes of SHA-256 over bot, caller and key, as a UUID.
 */
export async function insertStartKey(db: Db, row: StartKeyRow & { keyId: string }) {
  // The update changes nothing, but returns the row of the first caller.
  const text = `insert into start_keys (key_id, result_id, session_id, body_hash) values ($1, $2, $3, $4)
on conflict (key_id) do update set session_id = start_keys.session_id
returning result_id as "resultId", session_id as "sessionId", body_hash as "bodyHash"`
  const { keyId, resultId, sessionId, bodyHash } = row
  const values = [keyId, resultId, sessionId, bodyHash]
  const rows = await db.run<StartKeyRow>({ name: "insert_start_key", text }, values)
  return rows[0] ?? row
}
