/** Knows whether the database takes writes: from what statements met, and by trying when it did not. */
import { failureOf, refusalFor } from "./failures.ts"
import type { Pool } from "./pool.ts"

/** Watches over the writes of a pool. */
export type WriteWatch = {
  /** Takes note of what a statement was refused with. */
  note(error: unknown): void
  /** Rejects while the database does not answer or takes no writes. */
  check(): Promise<void>
}

/**
 * A megabyte of new pages, gone with the statement: a table that exists may have room for a row even
 * on a full disk.
 */
const tryToWrite = `create temporary table parley_room on commit drop as
select repeat(md5(n::text), 60) as filler from generate_series(1, 500) n`

/** Opens the watch. */
export function openWriteWatch(pool: Pool): WriteWatch {
  let isFull = false
  return {
    note(error) {
      const failure = failureOf(error)
      // Behind the same address another server may be the primary by now.
      if (failure === "readOnly") pool.retire()
      if (failure === "full") isFull = true
    },
    async check() {
      const { rows } = await pool.query<{ setting: string }>(
        "select current_setting('transaction_read_only') as setting",
      )
      if (rows[0]?.setting === "on") {
        pool.retire()
        throw refusalFor("readOnly")
      }
      if (!isFull) return
      try {
        await pool.query(tryToWrite)
      } catch (error) {
        const failure = failureOf(error)
        if (failure !== undefined) throw refusalFor(failure, error)
        // Whoever may not make such a table finds out by the next real write.
      }
      isFull = false
    },
  }
}
