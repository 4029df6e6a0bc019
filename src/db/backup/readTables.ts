/** Reads every table as of one moment, while others write. */
import type pg from "pg"

/** A column, and its type as casts name it. */
export type BackupColumn = { name: string; type: string }

/** A table, or some rows of the last one. Values are in the text form of their type. */
export type TableItem = { table: string; columns: BackupColumn[] } | { rows: (string | null)[][] }

/** What a backup begins with: the last migration of the database, and then its tables. */
type Snapshot = { migration: number; items: AsyncIterable<TableItem> }

// Session states and results are the largest rows, some kilobytes each.
const rowsAtATime = 200

/** Every form of a value that depends on settings, the same on all servers. */
export const exactSettings = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex';
  set local extra_float_digits = 1; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

// Unlogged tables hold what a crash may lose anyhow.
const tablesQuery = `select c.relname as name, json_agg(json_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and c.relname <> 'parley_migrations'
  group by c.relname order by c.relname`

/** Opens a snapshot for as long as `read` takes. */
export async function withSnapshot<Result>(
  pool: pg.Pool,
  read: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query("begin isolation level repeatable read read only")
    await client.query(exactSettings)
    const { rows } = await client.query("select max(number) as migration from parley_migrations")
    const result = await read({ migration: rows[0].migration, items: readTables(client) })
    await client.query("rollback")
    broken = false
    return result
  } finally {
    client.release(broken)
  }
}

async function* readTables(client: pg.PoolClient): AsyncGenerator<TableItem> {
  const { rows: tables } = await client.query<{ name: string; columns: BackupColumn[] }>(
    tablesQuery,
  )
  for (const { name, columns } of tables) {
    yield { table: name, columns }
    const values = columns.map((column) => `${quoted(column.name)}::text`).join(", ")
    await client.query(
      `declare backup no scroll cursor for select json_build_array(${values}) as values from ${quoted(name)}`,
    )
    for (;;) {
      const { rows } = await client.query(`fetch ${rowsAtATime} from backup`)
      if (rows.length === 0) break
      yield { rows: rows.map(({ values: row }) => row) }
    }
    await client.query("close backup")
  }
}

/** A name as SQL takes it, whatever is in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
