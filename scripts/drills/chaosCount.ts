/** Compares what the clients of the chaos drill were told with what is stored. */
import type { Pool } from "pg"
import type { Told } from "./chaosClient.ts"

/** One sentence for everything that is wrong. */
export async function judgeChats(pool: Pool, chats: readonly Told[]): Promise<string[]> {
  const wrong = chats.flatMap(({ problem }) => problem ?? [])
  for (const told of chats) wrong.push(...(await judgeChat(pool, told)))
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

async function judgeChat(pool: Pool, told: Told): Promise<string[]> {
  if (told.resultId === "") return []
  const { rows } = await pool.query<{ content: string }>(
    "select content from answers where result_id = $1 order by idx",
    [told.resultId],
  )
  const stored = rows.map(({ content }) => content)
  const confirmed = new Set(told.confirmed)
  const allowed = new Set([...told.confirmed, ...told.doubtful])
  const wrong: string[] = []
  const name = `chat ${told.index}`
  if (new Set(stored).size < stored.length) wrong.push(`${name}: a turn is stored twice`)
  const kept = stored.filter((content) => confirmed.has(content))
  if (kept.join() !== told.confirmed.join()) {
    const lost = told.confirmed.filter((content) => !stored.includes(content))
    wrong.push(`${name}: confirmed turns are lost or out of order: ${lost.join(", ")}`)
  }
  // The last message of a chat with a problem may be stored unconfirmed.
  const strange = stored.filter((content) => !allowed.has(content))
  if (strange.length > 0 && !told.problem) wrong.push(`${name}: nobody said ${strange.join(", ")}`)
  return wrong
}
