/**
 * Counts what chats and addresses may still upload: one row per scope, changed in one statement.
 */
import { createHash } from "node:crypto"
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { ResultOfChat } from "../results/resultAddress.ts"
import { anyText } from "../schema/anyOf.ts"

export type FileAmount = { files: number; bytes: number }

/** Where uploads are counted, how many are allowed there, and until when the count is kept. */
export type UploadScope = { scope: string; most: FileAmount; expiresAt: Date }

/** One file to be uploaded in a chat; it counts for the caller's address, too, unless they have a token. */
export type UploadToCount = { bytes: number; chat: UploadScope; address?: UploadScope | undefined }

/** Where there was no room for a file; undefined: it was counted. */
type UploadCount = {
  full: "chat" | "address" | undefined
  /** When an upload was last permitted in a chat that is full; undefined: never. */
  signedAt: Date | undefined
}

/**
 * Counts a file, unless that would be too much. When the address is full, the chat has counted it all
 * the same.
 */
export async function countUploadIn(db: Db, asked: UploadToCount): Promise<UploadCount> {
  const { bytes, chat, address } = asked
  if (!(await count(db, bytes, chat))) {
    return { full: "chat", signedAt: await findSignedAt(db, chat.scope) }
  }
  const isCounted = address === undefined || (await count(db, bytes, address))
  return { full: isCounted ? undefined : "address", signedAt: undefined }
}

/** False: there is no room. The lock of the row lets one at a time count in a scope. */
async function count(db: Db, bytes: number, { scope, most, expiresAt }: UploadScope) {
  const text = `insert into upload_tallies as tally (scope, files, bytes, signed_at, expires_at)
values ($1, 1, $2, now(), $3)
on conflict (scope) do update set files = tally.files + 1, bytes = tally.bytes + excluded.bytes,
  signed_at = excluded.signed_at, expires_at = excluded.expires_at
where tally.files < $4 and tally.bytes + excluded.bytes <= $5
returning scope`
  if (most.files < 1 || bytes > most.bytes) return false
  const values = [scope, bytes, expiresAt, most.files, most.bytes]
  return (await db.run({ name: "count_upload", text }, values)).length > 0
}

async function findSignedAt(db: Db, scope: string): Promise<Date | undefined> {
  const row = await db.kysely
    .selectFrom("uploadTallies")
    .select("signedAt")
    .where("scope", "=", scope)
    .executeTakeFirst()
  return row?.signedAt
}

/** Releases an unused reservation of a scope. */
export async function giveBackUpload(
  db: Db,
  { scope, files, bytes }: FileAmount & { scope: string },
): Promise<void> {
  await db.kysely
    .updateTable("uploadTallies")
    .set({
      files: sql`greatest(files - ${files}, 0)`,
      bytes: sql`greatest(bytes - ${bytes}, 0)`,
    })
    .where("scope", "=", scope)
    .execute()
}

/** Lowers a tally to the stored size, unless something was reserved since `before`. */
export async function lowerUploads(
  db: Db,
  { scope, files, bytes, before }: FileAmount & { scope: string; before: Date },
): Promise<void> {
  await db.kysely
    .updateTable("uploadTallies")
    .set({
      files: sql`least(files, ${files})`,
      bytes: sql`least(bytes, ${bytes})`,
      signedAt: sql`now()`,
    })
    .where("scope", "=", scope)
    .where("signedAt", "<", before)
    .execute()
}

/** A scope is named by a hash, because upload addresses contain it and must reveal nothing. */
export function scopeOf(kind: "chat" | "address", name: string): string {
  return createHash("sha256").update(`${kind} ${name}`).digest("hex").slice(0, 40)
}

/** Where the uploads of a chat are counted. */
export function chatScopeOf(sessionId: string): string {
  return scopeOf("chat", sessionId)
}

/**
 * Ends what was counted in the last chats of results, which are over, so that an upload which was permitted
 * before is refused when it comes. Returns the results in whose chats anything was counted, each once. The
 * rows stay for a while: the results of a chat may be deleted at the same time by several who each have to
 * know.
 */
export async function closeUploads({ kysely }: Source, results: readonly ResultOfChat[]) {
  if (results.length === 0) return []
  const scopes = results.map(({ lastChatSessionId: id }) => (id === null ? "" : chatScopeOf(id)))
  const rows = await kysely
    .updateTable("uploadTallies")
    .set({ expiresAt: sql<Date>`now()` })
    .where("scope", "=", anyText(scopes))
    .returning("scope")
    .execute()
  const closed = new Set(rows.map(({ scope }) => scope))
  const uploaded = results.filter((_, index) => closed.has(scopes[index] ?? ""))
  return [...new Map(uploaded.map((result) => [result.resultId, result])).values()]
}

/** Deletes the tally of a chat; uploads permitted before are refused. */
export async function deleteUploadTally({ kysely }: Db, sessionId: string): Promise<void> {
  await kysely.deleteFrom("uploadTallies").where("scope", "=", chatScopeOf(sessionId)).execute()
}

export async function isCounted({ kysely }: Db, scope: string): Promise<boolean> {
  const row = await kysely
    .selectFrom("uploadTallies")
    .select("scope")
    .where("scope", "=", scope)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}
