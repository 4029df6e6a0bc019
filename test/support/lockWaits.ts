/** Waits until statements stand in the way of each other. */
import { expect } from "vitest"
import { eventually } from "./waiting.ts"

/** A connection, or several, to the database that is asked about. */
type Source = { query(text: string): Promise<{ rowCount: number | null }> }

/**
 * How many statements of this database wait for a lock. The server has the databases of other test files,
 * too, which `pg_locks` would count.
 */
export async function countLockWaits(source: Source): Promise<number> {
  // What others do is read once per transaction otherwise.
  await source.query("select pg_stat_clear_snapshot()")
  const { rowCount } = await source.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}

/** Waits until so many statements of this database wait for a lock. */
export async function untilLockWaits(source: Source, count = 1): Promise<void> {
  await eventually(async () => expect(await countLockWaits(source)).toBe(count))
}
