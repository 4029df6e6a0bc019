/** Compares what gateways of the drill sent with what is stored. */
import type pg from "pg"

type Stored = { id: string; answers: string[]; idle: number }

/** Sentences about everything that is wrong. */
export async function judgeConversations(
  pool: pg.Pool,
  { keys, each }: { keys: number; each: number },
): Promise<string[]> {
  const conversations = await pool.query<{ key: string; id: string }>(
    "select key, result_id as id from conversations",
  )
  // By themselves: a cluster joins results with nothing that it spreads by another key.
  const results = await pool.query<Stored>(`
    select r.result_id as id,
      (select coalesce(array_agg(a.content order by a.idx), '{}') from answers a
        where a.result_id = r.result_id) as answers,
      (select count(*)::int from session_events e
        where e.result_id = r.result_id and e.type = 'conversation.idle' and e.created_at > (
          select max(a.created_at) from answers a where a.result_id = r.result_id)) as idle
    from results r`)
  const stored = new Map(results.rows.map((row) => [row.id, row]))
  const found = conversations.rows.length
  const wrong: string[] = []
  if (found !== keys) wrong.push(`${found} conversations for ${keys} keys`)
  if (stored.size !== keys) wrong.push(`${stored.size} chats for ${keys} keys`)
  for (const { key, id } of conversations.rows) {
    const { answers = [], idle = 0 } = stored.get(id) ?? {}
    const expected = Array.from({ length: each }, (_, turn) => `${key} message ${turn}`)
    if (JSON.stringify(answers) !== JSON.stringify(expected)) {
      wrong.push(`${key}: ${answers.length} of ${each} answers, or not in order`)
    }
    if (idle !== 1) wrong.push(`${key}: the last silence was told ${idle} times`)
  }
  return wrong
}
