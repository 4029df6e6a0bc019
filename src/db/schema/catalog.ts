/** Describes a database from its catalog, in SQL that people read: one text per schema. */
import type pg from "pg"

type Column = {
  name: string
  type: string
  notNull: boolean
  default: string | null
  storage: string | null
  collation: string | null
}

type Table = {
  name: string
  unlogged: boolean
  options: string[] | null
  columns: Column[]
  constraints: string[]
  indexes: string[]
}

// Constraints of type n are the NOT NULLs of PostgreSQL 18, which the columns show already.
const tablesQuery = `select c.relname as name, c.relpersistence = 'u' as unlogged,
  c.reloptions || (
    select array_agg('toast.' || o) from pg_class t, unnest(t.reloptions) o
    where t.oid = c.reltoastrelid
  ) as options,
  (
    select json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'notNull', a.attnotnull,
      'default', pg_get_expr(d.adbin, d.adrelid),
      'storage', case when a.attstorage <> t.typstorage then a.attstorage::text end,
      'collation', case when a.attcollation <> t.typcollation then l.collname end
    ) order by a.attnum)
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) as columns,
  coalesce((
    select json_agg(pg_get_constraintdef(k.oid) order by
      array_position(array['p', 'u', 'f', 'c'], k.contype::text), k.conname)
    from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'
  ), '[]') as constraints,
  coalesce((
    select json_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid::regclass::text collate "C")
    from pg_index i
    where i.indrelid = c.oid
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  ), '[]') as indexes
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p')
order by c.relname`

const functionsQuery = `select pg_get_functiondef(p.oid) as definition
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where n.nspname = $1 and p.prokind in ('f', 'p') order by p.proname, p.oid::regprocedure::text collate "C"`

const storageNames: Record<string, string> = { e: "external", m: "main", p: "plain", x: "extended" }

/** Everything in a schema: tables in order of name, then functions. Names are as on the search path. */
export async function describeCatalog(
  database: Pick<pg.Pool, "query">,
  schema = "public",
): Promise<string> {
  const tables = await database.query<Table>(tablesQuery, [schema])
  const functions = await database.query<{ definition: string }>(functionsQuery, [schema])
  const parts = tables.rows.map(describeTable)
  parts.push(...functions.rows.map(({ definition }) => `${definition.trim()};`))
  return `${parts.join("\n\n")}\n`.replaceAll(`FUNCTION ${schema}.`, "FUNCTION public.")
}

function describeTable(table: Table): string {
  const lines = [...table.columns.map(describeColumn), ...table.constraints]
  const kind = table.unlogged ? "unlogged table" : "table"
  const options = table.options ? ` with (${table.options.join(", ")})` : ""
  const text = `create ${kind} ${table.name} (\n  ${lines.join(",\n  ")}\n)${options};`
  return [text, ...table.indexes.map((index) => `${index.replace(/ ON \w+\./, " ON ")};`)].join(
    "\n",
  )
}

function describeColumn(column: Column): string {
  const parts = [column.name, column.type]
  if (column.storage !== null) parts.push(`storage ${storageNames[column.storage]}`)
  if (column.collation !== null) parts.push(`collate "${column.collation}"`)
  if (column.notNull) parts.push("not null")
  if (column.default !== null) parts.push(`default ${column.default}`)
  return parts.join(" ")
}
