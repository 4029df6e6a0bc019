/**
 * Counts what chats and addresses may still upload: one row per scope, changed in one statement.
 */
import { sql } from "kysely"
import type { Db } from "../connection/open.ts"
import type { Statement } from "../connection/pipelines.ts"

/** Files and their bytes. */
export type FileAmount = { files: number; bytes: number }

/** Where uploads are counted: how many may be, and how long the count is kept. */
export type UploadScope = { scope: string; most: FileAmount; expiresAt: Date }

/** Leave for one file of a chat, which counts for its address too unless the caller is known. */
export type UploadToCount = { bytes: number; chat: UploadScope; address?: UploadScope | undefined }

/** Whether a file was counted, or where there is no room for it. */
export type UploadCount = {
  full: "chat" | "address" | undefined
  /** When leave was given last in the chat; undefined: never. */
  signedAt: Date | undefined
}

/**
 * Counts one more file in its chat and then by its address, in that order everywhere: the locks of
 * their rows let one at a time do so.
 */
export const countUploadStatement: Statement = {
  name: "count_upload",
  text: `with chat as (
  insert into upload_tallies as tally (scope, files, bytes, signed_at, expires_at)
  select $1, 1, $2::bigint, now(), $3::timestamptz where $4::int > 0 and $2::bigint <= $5::bigint
  on conflict (scope) do update set files = tally.files + 1, bytes = tally.bytes + excluded.bytes,
    signed_at = excluded.signed_at, expires_at = excluded.expires_at
  where tally.files < $4 and tally.bytes + excluded.bytes <= $5
  returning scope
), address as (
  insert into upload_tallies as tally (scope, files, bytes, signed_at, expires_at)
  select $6::text, 1, $2::bigint, now(), $7::timestamptz from chat
  where $6 is not null and $8::int > 0 and $2::bigint <= $9::bigint
  on conflict (scope) do update set files = tally.files + 1, bytes = tally.bytes + excluded.bytes,
    signed_at = excluded.signed_at, expires_at = excluded.expires_at
  where tally.files < $8 and tally.bytes + excluded.bytes <= $9
  returning scope
)
select exists (select from chat) as "inChat", exists (select from address) as "byAddress",
  (select signed_at from upload_tallies where scope = $1) as "signedAt"`,
}

type CountedRow = { inChat: boolean; byAddress: boolean; signedAt: Date | null }

/**
 * Counts a file, unless there would be too much; only the chat has counted it when the address is
 * full.
 */
export async function countUploadIn(db: Db, asked: UploadToCount): Promise<UploadCount> {
  const { bytes, chat, address } = asked
  const [row] = await db.run<CountedRow>(countUploadStatement, [
    chat.scope,
    bytes,
    chat.expiresAt,
    chat.most.files,
    chat.most.bytes,
    address?.scope,
    address?.expiresAt,
    address?.most.files,
    address?.most.bytes,
  ])
  const signedAt = row?.signedAt ?? undefined
  if (!row?.inChat) return { full: "chat", signedAt }
  return { full: address && !row.byAddress ? "address" : undefined, signedAt }
}

/** Gives back what was reserved in a scope and not needed. */
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

/** Lowers a scope to what is really stored, unless something was reserved since `before`. */
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

/** Returns those of the scopes in which anything was counted. */
export async function listCounted(db: Db, scopes: readonly string[]): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom("uploadTallies")
    .select("scope")
    .where("scope", "=", sql<string>`any(${scopes})`)
    .execute()
  return new Set(rows.map(({ scope }) => scope))
}
