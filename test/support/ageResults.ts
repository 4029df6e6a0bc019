/** Makes results older than they are. */
import type { OpenDatabase } from "../../src/db/connection/openDatabase.ts"
import { firstUuidAt } from "../../src/lib/ids.ts"

type Pool = Pick<OpenDatabase, "pool">

/** As if all chats of a bot had been started that many days ago. */
export async function ageResults({ pool }: Pool, botId: string, days: number): Promise<void> {
  const { rows } = await pool.query("select result_id from results where bot_id = $1", [botId])
  for (const { result_id: id } of rows) {
    const then = firstUuidAt(Date.now() - days * 86_400_000).slice(0, 14) + id.slice(14)
    for (const table of ["results", "answers", "result_steps"]) {
      await moveRows({ pool }, table, [id, then])
    }
    await pool.query("delete from chat_sessions where result_id = $1", [id])
  }
}

/** Copies and deletes: a row that is spread by its result never changes its id. */
async function moveRows({ pool }: Pool, table: string, [from, to]: [string, string]) {
  const { rows } = await pool.query(
    `select to_jsonb(t) || jsonb_build_object('result_id', $2::text) as row from ${table} t
    where result_id = $1`,
    [from, to],
  )
  for (const { row } of rows) {
    await pool.query(
      `insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`,
      [JSON.stringify(row)],
    )
  }
  await pool.query(`delete from ${table} where result_id = $1`, [from])
}
