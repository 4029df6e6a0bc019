/** Puts a row into every table that has none, made from the catalog alone. */
import type pg from "pg"

type Column = { name: string; type: string; check: string | null; refers: string | null }

// One column of a foreign key, and what its table allows the column to be.
const columnsQuery = `select a.attname as name, format_type(a.atttypid, null) as type,
  (select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
    where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]) as check,
  (select format('(select %I from %s limit 1)', f.attname, k.confrelid::regclass)
    from pg_constraint k join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[1]
    where k.conrelid = a.attrelid and k.contype = 'f' and k.conkey = array[a.attnum]) as refers
from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
  and a.attgenerated = '' and a.attnotnull and not a.atthasdef order by a.attnum`

const samples: Record<string, string> = {
  text: "'x'",
  "text[]": "'{x}'",
  uuid: "gen_random_uuid()",
  jsonb: "'[]'",
  bytea: "sha256('x')",
  boolean: "true",
  date: "'2026-01-01'",
  "timestamp with time zone": "'2026-01-01'",
}

function sampleOf({ type, check, refers }: Column): string {
  // What a row must be one of stands in its check; other lengths than these are in checks of bytes.
  const first = /ARRAY\['(\w+)'/.exec(check ?? "")?.[1]
  const length = /length\(\w+\) = (\d+)/.exec(check ?? "")?.[1]
  if (refers !== null) return refers
  if (first !== undefined) return `'${first}'`
  if (type === "text" && length !== undefined) return `'${"x".repeat(Number(length))}'`
  return samples[type] ?? "1"
}

/** Returns the tables that had none. */
export async function putRowInEach(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  let waiting: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select from ${name} limit 1`)
    if (rowCount === 0) waiting.push(name)
  }
  const filled = [...waiting]
  while (waiting.length > 0) {
    const refused: string[] = []
    const reasons: string[] = []
    for (const name of waiting) {
      const { rows: columns } = await pool.query<Column>(columnsQuery, [name])
      const names = columns.map((column) => `"${column.name}"`).join(", ")
      const values = columns.map(sampleOf).join(", ")
      const text = `insert into ${name} ${columns.length > 0 ? `(${names}) values (${values})` : "default values"}`
      await pool.query(text).catch((error: Error) => {
        refused.push(name)
        reasons.push(`${name}: ${error.message}`)
      })
    }
    // Some wait for the row of a table that they refer to.
    if (refused.length === waiting.length) throw new Error(reasons.join("\n"))
    waiting = refused
  }
  return filled
}
