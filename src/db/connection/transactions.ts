/** Retries changes that the database aborts because they conflict with others. */
import type { Kysely, Transaction } from "kysely"
import type { Database } from "../schema/tables.ts"
import { failureOf } from "./databaseFailures.ts"

/**
 * Runs a change in a transaction, and once more from the start when the database aborts it in favour of
 * another one. So it must only read and write the database.
 */
export async function inTransaction<Result>(
  { kysely, changeLog }: Transactional,
  change: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return await retryContended(() =>
    kysely.transaction().execute(async (transaction) => {
      const result = await change(transaction)
      // A change that was refused returns nothing.
      if (result !== undefined && result !== false) await changeLog?.write({ kysely: transaction })
      return result
    }),
  )
}

type Transactional = {
  kysely: Kysely<Database>
  /** Absent: the change is not recorded. */
  changeLog?: { write(source: { kysely: Transaction<Database> }): Promise<void> } | undefined
}

/** Runs work that an abort undoes as a whole, and retries it once; throws when it is aborted again. */
export async function retryContended<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (failureOf(error) !== "contended") throw error
    return await work()
  }
}
