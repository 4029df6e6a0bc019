/** Lets the database give up half-way: deletions from one table fail. */
import type { Pool } from "../../src/db/connection/connectionPool.ts"
import { isOnCluster } from "./cluster.ts"

/** Makes deletions from a table fail with `No more`. Returns what ends that. */
export async function failDeletions(pool: Pool, table: string): Promise<() => Promise<void>> {
  const trigger =
    "create trigger refused before delete on %s for each row execute function refuse()"
  await pool.query(
    "create function refuse() returns trigger language plpgsql as $$ begin raise 'No more'; end $$",
  )
  // A cluster takes no triggers on tables that it spreads, but its parts are tables like others.
  await pool.query(
    isOnCluster
      ? `select run_command_on_placements('${table}', '${trigger}')`
      : trigger.replace("%s", table),
  )
  return async () => {
    if (isOnCluster)
      await pool.query(`select run_command_on_placements('${table}', 'drop trigger refused on %s')`)
    await pool.query("drop function refuse cascade")
  }
}
