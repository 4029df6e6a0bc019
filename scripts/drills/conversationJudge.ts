/** Compares what gateways of the drill sent with what is stored. */
import type pg from "pg"

type Stored = { key: string; results: number; answers: string[]; idle: number }

/** Sentences about everything that is wrong. */
export async function judgeConversations(
  pool: pg.Pool,
  { keys, each }: { keys: number; each: number },
): Promise<string[]> {
  const { rows } = await pool.query<Stored>(`
    select c.key, (select count(*)::int from results) as results,
      (select coalesce(array_agg(a.content order by a.idx), '{}') from answers a
        where a.result_id = c.result_id) as answers,
      (select count(*)::int from session_events e
        where e.result_id = c.result_id and e.type = 'conversation.idle' and e.created_at > (
          select max(a.created_at) from answers a where a.result_id = c.result_id)) as idle
    from conversations c`)
  const wrong: string[] = []
  const [first] = rows
  if (rows.length !== keys) wrong.push(`${rows.length} conversations for ${keys} keys`)
  if (first && first.results !== keys) wrong.push(`${first.results} chats for ${keys} keys`)
  for (const { key, answers, idle } of rows) {
    const expected = Array.from({ length: each }, (_, turn) => `${key} message ${turn}`)
    if (JSON.stringify(answers) !== JSON.stringify(expected)) {
      wrong.push(`${key}: ${answers.length} of ${each} answers, or not in order`)
    }
    if (idle !== 1) wrong.push(`${key}: the last silence was told ${idle} times`)
  }
  return wrong
}
