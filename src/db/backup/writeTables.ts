/** Writes the tables of a backup into an empty database, as a whole or not at all. */
import type pg from "pg"
import { applyMigrations } from "../schema/migrate.ts"
import { type BackupColumn, exactSettings, quoted, type TableItem } from "./readTables.ts"

/** Takes the tables of a backup, in their order. */
type TableWriter = { write(item: TableItem): Promise<void> }

/**
 * Makes the schema as of a migration and lets `work` write the tables, in one transaction: when
 * anything fails or this process dies, the database is as empty as before. Throws a sentence when it
 * is not empty.
 */
export async function restoreTables(
  pool: pg.Pool,
  migration: number,
  work: (writer: TableWriter) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query("begin")
    await client.query(exactSettings)
    await requireEmpty(client)
    await applyMigrations(client, migration)
    const keys = await dropForeignKeys(client)
    await emptyTables(client)
    await work(openWriter(client))
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    }
    await client.query("commit")
    broken = false
  } finally {
    // Ends the transaction, too.
    client.release(broken)
  }
}

async function requireEmpty(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    "select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' limit 1",
  )
  if (rows.length === 0) return
  throw new Error(
    "The database is not empty: name one without tables by DATABASE_URL, or a new folder by PARLEY_DATA.",
  )
}

type ForeignKey = { table: string; name: string; definition: string }

/** Tables come in no particular order. */
async function dropForeignKeys(client: pg.PoolClient): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  }
  return rows
}

/** Some migrations write rows, as that of the naming key. */
async function emptyTables(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    `select string_agg(oid::regclass::text, ', ') as tables from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'parley_migrations'`,
  )
  await client.query(`truncate ${rows[0].tables}`)
}

function openWriter(client: pg.PoolClient): TableWriter {
  let insert: string | undefined
  return {
    async write(item) {
      if ("table" in item) insert = insertOf(item.table, item.columns)
      else if (insert) await client.query(insert, [JSON.stringify(item.rows)])
    },
  }
}

function insertOf(table: string, columns: BackupColumn[]): string {
  const names = columns.map(({ name }) => quoted(name)).join(", ")
  // The text of each value, read by the type that it came from.
  const values = columns.map(({ type }, place) => `(line ->> ${place})::${type}`).join(", ")
  return `insert into ${quoted(table)} (${names})
    select ${values} from json_array_elements($1::json) as line`
}
