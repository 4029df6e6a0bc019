/** Watches whether the database takes writes: by failed statements, and by trying after a failure. */

import type { Pool } from "./connectionPool.ts"
import { failureOf, isSilence, refusalFor } from "./databaseFailures.ts"

export type WriteWatch = ReturnType<typeof createWriteWatch>

/**
 * Writes a megabyte of new pages, gone with the statement. A row would not do: even on a full disk an
 * existing table may have room for it.
 */
const tryToWrite = `create temporary table parley_room on commit drop as
select repeat(md5(n::text), 60) as filler from generate_series(1, 500) n`

/** Creates the watch. `retire` replaces connections: another server may have taken the place of this one. */
export function createWriteWatch(pool: Pool, retire: () => void) {
  let isFull = false
  return {
    /** Notes the error of a statement, which may mean that the database has become read-only. */
    note(error: unknown) {
      const failure = failureOf(error)
      // A server that has vanished closes no connection: otherwise each would cost a caller
      // the max wait.
      if (failure === "readOnly" || isSilence(error)) retire()
      if (failure === "full") isFull = true
    },
    /** Rejects while the database does not answer or takes no writes. */
    async check() {
      const { rows } = await pool.query<{ setting: string }>(
        "select current_setting('transaction_read_only') as setting",
      )
      if (rows[0]?.setting === "on") {
        retire()
        throw refusalFor("readOnly")
      }
      if (!isFull) return
      try {
        await pool.query(tryToWrite)
      } catch (error) {
        const failure = failureOf(error)
        if (failure !== undefined) throw refusalFor(failure, error)
        // A role that may not create such a table learns it from its next write.
      }
      isFull = false
    },
  }
}
