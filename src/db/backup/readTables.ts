/** Reads every table as of one moment, while others write. */
import type pg from "pg"
import { withClient } from "../connection/withClient.ts"
import { type BackupColumn, quoted, tablesOf } from "./tablesOf.ts"

type Row = (string | null)[]

/** A table, or some rows of the one before. Values are in the text form of their type. */
export type TableItem = { table: string; columns: BackupColumn[] } | { rows: Row[] }

/** The beginning of a backup: the last migration of the database, then its tables. */
type Snapshot = { migration: number; items: AsyncIterable<TableItem> }

// Session states and results are the largest rows, some kilobytes each.
const rowsAtATime = 200
const pieceCharacters = 4 * 1024 * 1024

/** Gives values that depend on settings the same form on all servers. */
export const exactSettings = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex';
  set local extra_float_digits = 1; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

/** Opens a snapshot for as long as `read` takes. */
export async function withSnapshot<Result>(
  pool: pg.Pool,
  read: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return await withClient(pool, async (client) => {
    await client.query("begin isolation level repeatable read read only")
    await client.query(exactSettings)
    const { rows } = await client.query("select max(number) as migration from parley_migrations")
    const result = await read({ migration: rows[0].migration, items: readTables(client) })
    await client.query("rollback")
    return result
  })
}

async function* readTables(client: pg.PoolClient): AsyncGenerator<TableItem> {
  for (const { name, columns } of await tablesOf(client)) {
    yield { table: name, columns }
    const values = columns.map((column) => `${quoted(column.name)}::text`).join(", ")
    await client.query(
      `declare backup no scroll cursor for select json_build_array(${values}) as values from ${quoted(name)}`,
    )
    for (;;) {
      const { rows } = await client.query(`fetch ${rowsAtATime} from backup`)
      if (rows.length === 0) break
      yield* inPieces(rows.map(({ values: row }) => row))
    }
    await client.query("close backup")
  }
}

/** Keeps the lines of a backup small, however large the values are; a row is never split. */
function* inPieces(rows: Row[]): Generator<TableItem> {
  let piece: Row[] = []
  let size = 0
  for (const row of rows) {
    const own = row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
    if (piece.length > 0 && size + own > pieceCharacters) {
      yield { rows: piece }
      piece = []
      size = 0
    }
    piece.push(row)
    size += own
  }
  yield { rows: piece }
}
