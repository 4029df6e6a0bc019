/** Lists the tables that a backup holds, from the catalog of a database. */
import type pg from "pg"

/** A column, and its type as casts name it. */
export type BackupColumn = { name: string; type: string }

export type BackupTable = { name: string; columns: BackupColumn[] }

/** Tables that are unlogged but on a cluster: counts of requests, and copies that a job makes again. */
export const loggedOnClusters: readonly string[] = ["rate_limits", "result_texts"]

// Unlogged tables may be lost in a crash anyway.
const tablesQuery = `select c.relname as name, json_agg(json_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and c.relname <> 'parley_migrations' and c.relname <> all($1)
  group by c.relname order by c.relname`

/** Lists the tables in order of name. */
export async function tablesOf(client: pg.PoolClient): Promise<BackupTable[]> {
  return (await client.query<BackupTable>(tablesQuery, [loggedOnClusters])).rows
}

/** A name of the catalog, quoted for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
