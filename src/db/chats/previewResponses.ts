/**
 * Responses to keyed requests in previews: found with the session, stored together with the turn.
 */
import type { Db } from "../connection/openDatabase.ts"
import {
  noPreview,
  openingValues,
  type PreviewSessionRow,
  type PreviewToOpen,
  previewColumns,
} from "./previews.ts"
import type { KeyedResponse, StoredResponse } from "./sessions.ts"

/** Max responses kept per preview and kind of call. */
export const maxResponses = 20

type FoundRow = PreviewSessionRow & { bodyHash: Buffer | null; body: string | null }

/** A preview session and the response stored under a key; either may be missing. */
export async function findKeyedPreview(db: Db, { id, key }: { id: string; key: string }) {
  // Two branches, because either may exist without the other.
  const text = `select ${previewColumns}, null::bytea as "bodyHash", null::text as body
from preview_sessions where id = $1
union all
select ${noPreview}, body_hash, body
from preview_responses where session_id = $1 and call = 'continue' and key = $2`
  const rows = await db.run<FoundRow>({ name: "find_keyed_preview", text }, [id, key])
  const found: { session?: PreviewSessionRow; response?: StoredResponse } = {}
  for (const { bodyHash, body, ...session } of rows) {
    if (bodyHash === null || body === null) found.session = session
    else found.response = { bodyHash, status: 200, body }
  }
  return found
}

/** Stores the state after a keyed turn and its response. Returns false when another turn won. */
export async function saveKeyedPreview(
  db: Db,
  turn: { id: string; revision: number; state: string; keyed: KeyedResponse },
): Promise<boolean> {
  const text = "select save_keyed_preview($1, $2, $3, $4, $5, $6, $7) as saved"
  const { id, revision, state, keyed } = turn
  const values = [id, revision, state, keyed.key, keyed.bodyHash, keyed.body, maxResponses]
  const rows = await db.run<{ saved: boolean }>({ name: "save_keyed_preview", text }, values)
  return rows[0]?.saved === true
}

/** A keyed start: its id, from caller, bot and key, and the process, which may resume its own work. */
type PreviewStart = { keyId: string; by: string }

/** Who claims a keyed start, and for how long. */
export type StartClaim = PreviewStart & { seconds: number }

/** Claims a keyed start. Returns false when another process is working on it. */
export async function claimPreviewStart(db: Db, { keyId, by, seconds }: StartClaim) {
  const text = `insert into preview_starts (key_id, claimed_until, claimed_by)
values ($1, now() + make_interval(secs => $2), $3)
on conflict (key_id) do update
set claimed_until = excluded.claimed_until, claimed_by = excluded.claimed_by
where preview_starts.claimed_until < excluded.created_at
  or preview_starts.claimed_by = excluded.claimed_by
returning key_id`
  return (await db.run({ name: "claim_preview_start", text }, [keyId, seconds, by])).length > 0
}

/** False: the claim ran out, and another process has claimed the start. */
export async function renewPreviewStart(db: Db, { keyId, by, seconds }: StartClaim) {
  // Also one that ran out while no other process wanted it.
  const text = `update preview_starts set claimed_until = now() + make_interval(secs => $2)
where key_id = $1 and claimed_by = $3
returning key_id`
  return (await db.run({ name: "renew_preview_start", text }, [keyId, seconds, by])).length > 0
}

/** Gives up the claim on a start. */
export async function releasePreviewStart(db: Db, { keyId, by }: PreviewStart): Promise<void> {
  await db.kysely
    .deleteFrom("previewStarts")
    .where("keyId", "=", keyId)
    .where("claimedBy", "=", by)
    .execute()
}

/** Finds the response to a keyed start. Returns undefined while the start is not finished. */
export async function findPreviewStart(
  db: Db,
  { sessionId, keyId }: { sessionId: string; keyId: string },
): Promise<StoredResponse | undefined> {
  const text = `select body_hash as "bodyHash", 200 as status, body from preview_responses
where session_id = $1 and call = 'start' and key = $2`
  const values = [sessionId, keyId]
  const rows = await db.run<StoredResponse>({ name: "find_preview_start", text }, values)
  return rows[0]
}

/** Opens a preview with the response to its keyed start. Returns false when the claim was lost. */
export async function insertKeyedPreview(
  db: Db,
  preview: PreviewToOpen,
  { keyId, by, bodyHash, body }: PreviewStart & Omit<KeyedResponse, "key">,
): Promise<boolean> {
  const text = `select open_keyed_preview($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
  $11, $12, $13, $14, $15) as saved`
  const response = [keyId, by, bodyHash, body, maxResponses]
  const values = [...openingValues(preview), ...response]
  const rows = await db.run<{ saved: boolean }>({ name: "open_keyed_preview", text }, values)
  return rows[0]?.saved === true
}

/** Deletes the responses to turns of a preview, because a new one begins under its id. */
export async function deletePreviewResponses(db: Db, sessionId: string): Promise<void> {
  await db.kysely
    .deleteFrom("previewResponses")
    .where("sessionId", "=", sessionId)
    .where("call", "=", "continue")
    .execute()
}
