/** Reads the key that makes names which tell no ids; the migrations made it. */
import type { Db } from "../connection/open.ts"

/** The key of this database. */
export async function readNamingKey(db: Pick<Db, "kysely">): Promise<Buffer> {
  const { key } = await db.kysely.selectFrom("namingKey").select("key").executeTakeFirstOrThrow()
  return key
}
