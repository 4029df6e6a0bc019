/** Does work in the database and takes it back. */
import type { Db } from "./open.ts"

/**
 * What the work comes to, refusals included, without a trace of it: neither rows nor notifications.
 * Hot statements are outside of it, so that the work must not run any.
 */
export async function inRolledBackTransaction<Result>(
  db: Db,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const transaction = await db.kysely.startTransaction().execute()
  try {
    return await work({ ...db, kysely: transaction })
  } finally {
    await transaction.rollback().execute()
  }
}
