/** Runs changes again that the database aborts because they and others wait for each other. */
import type { Kysely, Transaction } from "kysely"
import type { Database } from "../schema/tables.ts"
import { failureOf } from "./failures.ts"

/**
 * Runs a change in a transaction, from its beginning once more when it is aborted in favour of
 * another one; so it must do nothing but read and write the database.
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
  /** Absent: nothing is written down. */
  changeLog?: { write(source: { kysely: Transaction<Database> }): Promise<void> } | undefined
}

/** Does work that an abort undoes as a whole; a second abort is the caller's to deal with. */
export async function retryContended<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (failureOf(error) !== "contended") throw error
    return await work()
  }
}
