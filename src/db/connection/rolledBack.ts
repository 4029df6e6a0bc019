/** Runs work in a transaction that is rolled back. */
import type { Db } from "./open.ts"

/**
 * Runs the work and leaves no trace of it, neither rows nor notifications. Returns what it returns
 * and throws what it throws. The work must not run hot statements: they are outside of the
 * transaction.
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
