/** Compares what the clients of the chaos drill know with what is stored. */
import type { Pool } from "pg"
import type { ChatRecord } from "./chaosChats.ts"

/** One sentence for everything that is wrong. */
export async function judgeChats(pool: Pool, chats: readonly ChatRecord[]): Promise<string[]> {
  const wrong = chats.flatMap(({ problem }) => problem ?? [])
  for (const record of chats) wrong.push(...(await judgeChat(pool, record)))
  const { rows } = await pool.query<{ results: number; claimed: number; broken: number }>(`
    select (select count(*) from chat_sessions)::int as results,
      (select count(*) from chat_sessions where claimed_until > now())::int as claimed,
      (select count(*) from chat_sessions s where not exists
        (select 1 from idempotency i where i.result_id = s.result_id
          and i.session_id = s.id and i.key like 'start %'))::int as broken`)
  const [{ results, claimed, broken } = { results: -1, claimed: -1, broken: -1 }] = rows
  if (results !== chats.length)
    wrong.push(`${chats.length} chats were started, ${results} are kept`)
  if (claimed > 0) wrong.push(`${claimed} sessions are still claimed`)
  if (broken > 0) wrong.push(`${broken} sessions have no confirmed start`)
  return wrong
}

async function judgeChat(pool: Pool, record: ChatRecord): Promise<string[]> {
  if (record.resultId === "") return []
  const { rows } = await pool.query<{ content: string }>(
    "select content from answers where result_id = $1 order by idx",
    [record.resultId],
  )
  const stored = rows.map(({ content }) => content)
  const confirmed = new Set(record.confirmed)
  const allowed = new Set([...record.confirmed, ...record.doubtful])
  const wrong: string[] = []
  const name = `chat ${record.index}`
  if (new Set(stored).size < stored.length) wrong.push(`${name}: a turn is stored twice`)
  const kept = stored.filter((content) => confirmed.has(content))
  if (kept.join() !== record.confirmed.join()) {
    const lost = record.confirmed.filter((content) => !stored.includes(content))
    wrong.push(`${name}: confirmed turns are lost or out of order: ${lost.join(", ")}`)
  }
  // The last message of a chat with a problem may be stored unconfirmed.
  const strange = stored.filter((content) => !allowed.has(content))
  if (strange.length > 0 && !record.problem)
    wrong.push(`${name}: nobody said ${strange.join(", ")}`)
  return wrong
}
