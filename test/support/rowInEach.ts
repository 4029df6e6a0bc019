/** Puts a row into every table that outlives a crash, made from the catalog alone. */
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

/** `at`: which of the values that a check allows. */
function sampleOf({ type, check, refers }: Column, at: 0 | -1): string {
  // What a row must be one of stands in its check, and how long it must be.
  const allowed = [...(check ?? "").matchAll(/'(\w+)'::text/g)].at(at)?.[1]
  const length = /length\(\w+\) = (\d+)/.exec(check ?? "")?.[1]
  if (refers !== null) return refers
  if (allowed !== undefined) return `'${allowed}'`
  if (type === "bytea" && length !== undefined) return `'${"x".repeat(Number(length))}'`
  if (type === "text" && length !== undefined) return `'${"x".repeat(Number(length))}'`
  return samples[type] ?? "1"
}

/** Returns the names of all of these tables. */
export async function putRowInEach(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' order by 1`,
  )
  let waiting: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select from ${name} limit 1`)
    if (rowCount === 0) waiting.push(name)
  }
  while (waiting.length > 0) {
    const refused: string[] = []
    const reasons: string[] = []
    for (const name of waiting) {
      const { rows: columns } = await pool.query<Column>(columnsQuery, [name])
      const names = columns.map((column) => `"${column.name}"`).join(", ")
      const insertion = (at: 0 | -1) => {
        const values = columns.map((column) => sampleOf(column, at)).join(", ")
        const row = columns.length > 0 ? `(${names}) select ${values}` : "default values"
        return pool.query(`insert into ${name} ${row}`)
      }
      // What goes with the first value may not go with the last, where a check is about two columns.
      await insertion(0)
        .catch(() => insertion(-1))
        .catch((error: Error) => {
          refused.push(name)
          reasons.push(`${name}: ${error.message}`)
        })
    }
    // Some wait for the row of a table that they refer to.
    if (refused.length === waiting.length) throw new Error(reasons.join("\n"))
    waiting = refused
  }
  return rows.map(({ name }) => name)
}
