/** The nodes of a cluster: finds those that do not answer, and reads from those that do. */
import { sql } from "kysely"
import type { Source } from "./openDatabase.ts"

/** Whether the database is a cluster. */
export async function isCluster({ kysely }: Source): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(kysely)
  return rows.length > 0
}

/** Checks every node of a cluster; returns their ids, and the errors of those that do not answer. */
export async function askNodes({ kysely }: Source) {
  const { rows } = await sql<{ nodeId: number; isUp: boolean; answer: string }>`
    select nodeid as "nodeId", success as "isUp", result as answer
    from run_command_on_all_nodes('select 1')`.execute(kysely)
  return rows
}

/** A table that is spread over the nodes, or two that lie together. */
export type SpreadTables = readonly [string, string?]

/**
 * Reads from those shards of a table that answer, or of two that lie together. The query names them `%1$s`
 * and `%2$s` and has no parameters; its rows come as JSON has them, in no order.
 */
export async function readAnswering<Read>(
  source: Source,
  tables: SpreadTables,
  query: string,
): Promise<Read[]> {
  const inJson = `select coalesce(json_agg(x), '[]') from (${query}) x`
  const results = await runAnswering(source, tables, inJson)
  return results.flatMap((result) => JSON.parse(result) as Read[])
}

/** Deletes from those shards that answer, as `readAnswering`; each is a transaction of its own. Returns how many rows. */
export async function deleteAnswering(
  source: Source,
  tables: SpreadTables,
  statement: string,
): Promise<number> {
  const inJson = `with gone as (${statement} returning 1) select count(*) from gone`
  const results = await runAnswering(source, tables, inJson)
  return results.reduce((sum, count) => sum + Number(count), 0)
}

async function runAnswering({ kysely }: Source, [first, second]: SpreadTables, command: string) {
  const tables = second === undefined ? [first] : [first, second]
  const placements = second === undefined ? "placements" : "colocated_placements"
  const names = sql.join(tables.map((table) => sql`${table}::text::regclass`))
  const { rows } = await sql<{ result: string }>`
    select result from ${sql.raw(`run_command_on_${placements}`)}(${names}, ${command}::text)
    where success`.execute(kysely)
  return rows.map(({ result }) => result)
}
