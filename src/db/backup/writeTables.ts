/** Writes the tables of a backup into an empty database, as a whole or not at all. */
import type pg from "pg"
import { cut } from "../../lib/cut.ts"
import { badRequest } from "../../lib/errors.ts"
import { withClient } from "../connection/withClient.ts"
import { applyMigrations } from "../schema/migrate.ts"
import { exactSettings, type TableItem } from "./readTables.ts"
import {
  type BackupColumn,
  type BackupTable,
  loggedOnClusters,
  quoted,
  tablesOf,
} from "./tablesOf.ts"

/** Writes the tables of a backup. Refuses unknown tables and columns. */
type TableWriter = {
  write(item: TableItem): Promise<void>
  /** To be called after the last table. Refuses when one is missing. */
  finish(): void
}

/**
 * Makes the schema as of a migration, lets `work` write the tables and brings the schema to that of
 * this code, in one transaction: when anything fails or this process dies, the database is as empty
 * as before. What `work` resolves with is called last, before the commit. Throws a sentence when the
 * database is not empty.
 */
export async function restoreTables(
  pool: pg.Pool,
  migration: number,
  work: (writer: TableWriter) => Promise<() => Promise<void>>,
): Promise<void> {
  await withClient(pool, async (client) => {
    await client.query("begin")
    await client.query(exactSettings)
    await requireEmpty(client)
    await applyMigrations(client, { upTo: migration })
    const keys = await dropForeignKeys(client)
    await truncateTables(client)
    const finish = await work(openWriter(client, await tablesOf(client)))
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`)
    }
    await applyMigrations(client, { from: migration })
    await finish()
    await client.query("commit")
  })
}

/** Throws a sentence when the database has tables. */
export async function requireEmpty(database: Pick<pg.Pool, "query">): Promise<void> {
  const { rows } = await database.query(
    "select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' limit 1",
  )
  if (rows.length === 0) return
  throw new Error(
    "The database is not empty: name one without tables by DATABASE_URL, or a new folder by PARLEY_DATA.",
  )
}

type ForeignKey = { table: string; name: string; definition: string }

/** The tables of a backup are ordered by name, which foreign keys would refuse. */
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

/** Empties the tables, because some migrations write rows, such as the naming key. */
async function truncateTables(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    `select string_agg(oid::regclass::text, ', ') as tables from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'parley_migrations'`,
  )
  await client.query(`truncate ${rows[0].tables}`)
}

/**
 * The file is untrusted: its names are looked up in the catalog of the schema that was just
 * made, which has the types too, and nothing of the file becomes SQL.
 */
function openWriter(client: pg.PoolClient, known: readonly BackupTable[]): TableWriter {
  const missing = new Map(known.map((table) => [table.name, table]))
  let insert: Insert | undefined
  let isLeftOut = false
  return {
    async write(item) {
      if ("table" in item) {
        // Earlier releases saved some of clusters.
        isLeftOut = loggedOnClusters.includes(item.table)
        if (isLeftOut) return
        const table = missing.get(item.table)
        if (!table) throw badRequest(`It has a table ${cut(item.table)} that does not belong there`)
        missing.delete(item.table)
        insert = insertOf(table, item.columns)
        return
      }
      if (isLeftOut) return
      if (!insert) throw badRequest("It has rows outside of a table")
      const { text, width } = insert
      if (item.rows.some((row) => row.length !== width))
        throw badRequest("It has a row that does not fit its table")
      await client.query(text, [JSON.stringify(item.rows)])
    },
    finish() {
      insert = undefined
      const [name] = missing.keys()
      if (name !== undefined) throw badRequest(`It lacks the table ${name}`)
    },
  }
}

/** A statement that inserts rows of `width` values. */
type Insert = { text: string; width: number }

function insertOf(table: BackupTable, written: readonly Pick<BackupColumn, "name">[]): Insert {
  const missing = new Map(table.columns.map((column) => [column.name, column]))
  const columns = written.map(({ name }) => {
    const column = missing.get(name)
    if (!column) {
      throw badRequest(`It has a column ${cut(name)} of ${table.name} that does not belong there`)
    }
    missing.delete(name)
    return column
  })
  const [lacking] = missing.keys()
  if (lacking !== undefined) throw badRequest(`It lacks the column ${lacking} of ${table.name}`)
  const names = columns.map(({ name }) => quoted(name)).join(", ")
  // The text of each value, read by the type of its column.
  const values = columns.map(({ type }, place) => `(line ->> ${place})::${type}`).join(", ")
  const text = `insert into public.${quoted(table.name)} (${names})
    select ${values} from json_array_elements($1::json) as line`
  return { text, width: columns.length }
}
