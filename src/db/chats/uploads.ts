/** Counts what chats and addresses were given leave to upload: one row per scope, changed in one statement. */
import { sql } from "kysely"
import type { Db, Statement } from "../connection/open.ts"

/** Files and their bytes. */
export type FileAmount = { files: number; bytes: number }

/** Leave for one file, counted in a scope unless it were too much. */
export type UploadReservation = {
  scope: string
  bytes: number
  most: FileAmount
  expiresAt: Date
}

/** Counts one more file in a scope that has room for it; the row's lock lets one at a time do so. */
export const reserveUploadStatement: Statement = {
  name: "reserve_upload",
  text: `insert into upload_tallies (scope, files, bytes, signed_at, expires_at)
values ($1, 1, $2, now(), $3)
on conflict (scope) do update set files = upload_tallies.files + 1,
  bytes = upload_tallies.bytes + excluded.bytes, signed_at = excluded.signed_at,
  expires_at = excluded.expires_at
where upload_tallies.files < $4 and upload_tallies.bytes + excluded.bytes <= $5
returning files`,
}

/** False: there would be too much. */
export async function reserveUpload(db: Db, asked: UploadReservation): Promise<boolean> {
  const { scope, bytes, most, expiresAt } = asked
  if (bytes > most.bytes || most.files < 1) return false
  const values = [scope, bytes, expiresAt, most.files, most.bytes]
  return (await db.run(reserveUploadStatement, values)).length > 0
}

/** Gives back what was counted in a scope and was not needed. */
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

/** When leave was given last in a scope; undefined: never. */
export async function findLastSigning(db: Db, scope: string): Promise<Date | undefined> {
  const row = await db.kysely
    .selectFrom("uploadTallies")
    .select("signedAt")
    .where("scope", "=", scope)
    .executeTakeFirst()
  return row?.signedAt
}

/** Lowers a scope to what there really is, unless leave was given since a moment. */
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

/** Those of the scopes in which anything was counted. */
export async function listCounted(db: Db, scopes: readonly string[]): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom("uploadTallies")
    .select("scope")
    .where("scope", "=", sql<string>`any(${scopes})`)
    .execute()
  return new Set(rows.map(({ scope }) => scope))
}
