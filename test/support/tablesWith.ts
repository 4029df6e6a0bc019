/** Searches every column of a database for texts that must not be there. */
import type { OpenDatabase } from "../../src/db/connection/openDatabase.ts"

/** Columns of flows: their texts are those of authors, and nobody has said them. */
const flowColumns = ["bots.groups", "bot_versions.payload", "preview_flows.payload"]

type Column = { table: string; column: string; isBytes: boolean }

/** The columns in which a text is, as `table.column`, in order; also as it stands in addresses. */
export async function columnsWith({ pool }: OpenDatabase, text: string): Promise<string[]> {
  const { rows } = await pool.query<Column>(`
    select c.oid::regclass::text as table, a.attname as column,
      a.atttypid = 'bytea'::regtype as "isBytes"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by c.relname, a.attname`)
  const patterns = [text, encodeURIComponent(text)].map((form) => `%${form}%`)
  const found: string[] = []
  for (const { table, column, isBytes } of rows) {
    const name = `${table}.${column}`
    if (flowColumns.includes(name)) continue
    const read = isBytes ? `encode("${column}", 'escape')` : `"${column}"::text`
    const query = `select 1 from ${table} where ${read} ilike any($1) limit 1`
    if ((await pool.query(query, [patterns])).rows.length > 0) found.push(name)
  }
  return found
}

/** The tables in which a text is. */
export async function tablesWith(database: OpenDatabase, text: string): Promise<string[]> {
  const columns = await columnsWith(database, text)
  return [...new Set(columns.map((name) => name.slice(0, name.indexOf("."))))]
}
