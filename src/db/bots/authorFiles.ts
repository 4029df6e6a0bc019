/** Records the files that authors keep for a bot, or for all bots of a workspace. */
import { type SqlBool, sql } from "kysely"
import { batchSize } from "../../lib/batches.ts"
import type { FileAmount } from "../chats/uploads.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { NewRow, Row } from "../schema/tables.ts"

export type AuthorFileRow = Row<"authorFiles">

/** Whose files: those of a bot, or with null those of the whole workspace. */
export type FilesOwner = { workspaceId: string; botId: string | null }

/** Records a file before its upload. Returns undefined if the workspace has no room. */
export async function insertAuthorFile(db: Db, file: NewRow<"authorFiles">, most: FileAmount) {
  return await inTransaction(db, async (kysely) => {
    const { files, bytes } = await measureAlone({ kysely }, file.workspaceId)
    if (files >= most.files || bytes + file.bytes > most.bytes) return undefined
    return await kysely
      .insertInto("authorFiles")
      .values(file)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/**
 * Counts them for a transaction that adds some: one at a time, as two at once would not see each other. Locks
 * the row of the workspace, as each node of a cluster keeps advisory locks of its own.
 */
async function measureAlone(db: Source, workspaceId: string): Promise<FileAmount> {
  await sql`select id from workspaces where id = ${workspaceId} for no key update`.execute(
    db.kysely,
  )
  return await measureAuthorFiles(db, workspaceId)
}

/** Counts the files of a workspace and its bots. */
export async function measureAuthorFiles({ kysely }: Source, workspaceId: string) {
  return await kysely
    .selectFrom("authorFiles")
    .select([
      sql<number>`count(*)::int`.as("files"),
      sql<number>`coalesce(sum(bytes), 0)::float8`.as("bytes"),
    ])
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow()
}

/** A copy of a file, which the store has already. */
type NewCopy = FilesOwner & Pick<AuthorFileRow, "id" | "key" | "name" | "bytes">

/** Whether a workspace has room for copies, which the transaction records after that. */
export async function hasRoomFor(
  source: Source,
  copies: readonly NewCopy[],
  { workspaceId, most }: { workspaceId: string; most: FileAmount },
): Promise<boolean> {
  const { bytes } = await measureAlone(source, workspaceId)
  return copies.reduce((sum, copy) => sum + copy.bytes, bytes) <= most.bytes
}

/** Records copies of files, in the transaction that found room for them. */
export async function insertCopies({ kysely }: Source, copies: readonly NewCopy[]): Promise<void> {
  await kysely
    .insertInto("authorFiles")
    .values([...copies])
    .execute()
}

type Listing = FilesOwner & {
  /** Only files older than this one. */
  after?: Pick<AuthorFileRow, "id" | "createdAt"> | undefined
  limit: number
}

/** Lists files, newest first. */
export async function listAuthorFiles(
  { kysely }: Db,
  { workspaceId, botId, after, limit }: Listing,
): Promise<AuthorFileRow[]> {
  let query = kysely
    .selectFrom("authorFiles")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("botId", botId === null ? "is" : "=", botId)
    .where("deletedAt", "is", null)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit)
  if (after !== undefined)
    query = query.where(sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})`)
  return await query.execute()
}

/** Lists the names and keys of all files of a bot; their number is bounded as they are recorded. */
export async function listFilesOfBot({ kysely }: Db, botId: string) {
  return await kysely
    .selectFrom("authorFiles")
    .select(["name", "key"])
    .where("botId", "=", botId)
    .where("deletedAt", "is", null)
    .orderBy("createdAt")
    .orderBy("id")
    .execute()
}

/** Finds a file that is not deleted. Returns undefined when the owner has none of this id. */
export async function findAuthorFile(
  { kysely }: Db,
  { workspaceId, botId, fileId }: FilesOwner & { fileId: string },
): Promise<AuthorFileRow | undefined> {
  return await kysely
    .selectFrom("authorFiles")
    .selectAll()
    .where("id", "=", fileId)
    .where("workspaceId", "=", workspaceId)
    .where("botId", botId === null ? "is" : "=", botId)
    .where("deletedAt", "is", null)
    .executeTakeFirst()
}

/** Whether a file exists, is announced, or is deleted and still counts. */
export async function isRecorded({ kysely }: Db, id: string): Promise<boolean> {
  const row = await kysely
    .selectFrom("authorFiles")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks a file as deleted, to be purged at a time. False: another call was first. */
export async function markDeleted(
  db: Db,
  { id, at, openUntil }: { id: string; at: Date; openUntil: Date },
): Promise<boolean> {
  return await inTransaction(db, async (kysely) => {
    const { numUpdatedRows } = await kysely
      .updateTable("authorFiles")
      .set({ deletedAt: at, openUntil })
      .where("id", "=", id)
      .where("deletedAt", "is", null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })
}

/** Lists files whose upload is over, oldest first; at most a batch. */
export async function listToSettle({ kysely }: Db, before: Date): Promise<AuthorFileRow[]> {
  return await kysely
    .selectFrom("authorFiles")
    .selectAll()
    .where("openUntil", "<", before)
    .orderBy("openUntil")
    .limit(batchSize)
    .execute()
}

/** Records the final size of a file. */
export async function settleFile({ kysely }: Db, { id, bytes }: { id: string; bytes: number }) {
  await kysely
    .updateTable("authorFiles")
    .set({ bytes, openUntil: null })
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .execute()
}

export async function deleteAuthorFileRow({ kysely }: Db, id: string): Promise<void> {
  await kysely.deleteFrom("authorFiles").where("id", "=", id).execute()
}

/** Deletes the files of a bot; open uploads are marked as deleted, and still count. */
export async function deleteFileRowsOfBot(
  { kysely }: Db,
  { botId, at }: { botId: string; at: Date },
) {
  await kysely
    .deleteFrom("authorFiles")
    .where("botId", "=", botId)
    .where("openUntil", "is", null)
    .execute()
  await kysely
    .updateTable("authorFiles")
    .set({ deletedAt: at })
    .where("botId", "=", botId)
    .where("deletedAt", "is", null)
    .execute()
}
