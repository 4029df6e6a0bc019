/** Looks for what must be nowhere in a database. */
import type { OpenDatabase } from "../../src/db/connection/open.ts"

/** The tables in which a text is, flows of authors left out. */
export async function tablesWith({ pool }: OpenDatabase, text: string): Promise<string[]> {
  const { rows } = await pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const found: string[] = []
  for (const { name } of rows) {
    if (["bots", "bot_versions"].includes(name)) continue
    const { rows: hits } = await pool.query(
      `select 1 from "${name}" as t where t::text ilike $1 limit 1`,
      [`%${text}%`],
    )
    if (hits.length > 0) found.push(name)
  }
  return found
}
