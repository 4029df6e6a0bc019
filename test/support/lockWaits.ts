/** Waits until statements stand in the way of each other. */
import { expect } from "vitest"
import { isOnCluster } from "./cluster.ts"
import { eventually } from "./waiting.ts"

/** A connection, or several, to the database that is asked about. */
type Source = { query(text: string): Promise<{ rows: { count: number | string }[] }> }

const waits = `select count(*) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
/** There a statement waits at the node that has the rows; of copied tables, at one that is asked first. */
const waitsOfNodes = `select sum(result::int) as count from run_command_on_all_nodes($$${waits}$$)`

/**
 * How many statements of this database wait for a lock. The server has the databases of other test files,
 * too, which `pg_locks` would count.
 */
export async function countLockWaits(source: Source): Promise<number> {
  // What others do is read once per transaction otherwise.
  await source.query("select pg_stat_clear_snapshot()")
  const { rows } = await source.query(isOnCluster ? waitsOfNodes : waits)
  return Number(rows[0]?.count)
}

/** Waits until so many statements of this database wait for a lock. */
export async function untilLockWaits(source: Source, count = 1): Promise<void> {
  await eventually(async () => expect(await countLockWaits(source)).toBe(count))
}
