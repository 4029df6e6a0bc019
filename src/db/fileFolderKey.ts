/** Reads the key that names the folders of files; the migrations made it. */
import type { Db } from "./open.ts"

/** The key of this database. */
export async function readFileFolderKey(db: Pick<Db, "kysely">): Promise<Buffer> {
  const { key } = await db.kysely
    .selectFrom("fileFolderKey")
    .select("key")
    .executeTakeFirstOrThrow()
  return key
}
