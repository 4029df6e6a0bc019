/** Compares the messages that the gateways sent with what is stored and with the events that arrived. */
import type pg from "pg"
import { groupBy } from "../../src/lib/groupBy.ts"
import type { ReceivedEvent } from "./conversationReceiver.ts"

type Stored = {
  id: string
  answers: string[]
  last: number
  most: number
  dueIn: number | null
}

/** Checks conversations and answers; returns a sentence for everything that is wrong. */
export async function judgeConversations(
  pool: pg.Pool,
  { keys, each }: { keys: number; each: number },
): Promise<string[]> {
  const conversations = await pool.query<{ key: string; id: string }>(
    "select key, result_id as id from conversations",
  )
  // Two queries, because a cluster cannot join results with tables that it distributes by another key.
  // The number of answers before a silence identifies it.
  const results = await pool.query<Stored>(
    `
    with silences as (
      select result_id, answered, count(*)::int as events from (
        select e.result_id, (select count(*) from answers a
          where a.result_id = e.result_id and a.created_at < e.created_at) as answered
        from session_events e where e.type = 'conversation.idle') each_one
      group by 1, 2)
    select r.result_id as id,
      (select coalesce(array_agg(a.content order by a.idx), '{}') from answers a
        where a.result_id = r.result_id) as answers,
      coalesce((select events from silences s
        where s.result_id = r.result_id and answered = $1), 0) as last,
      (select round(extract(epoch from due_at - now()))::int from timers t
        where t.result_id = r.result_id) as "dueIn",
      coalesce((select max(events) from silences s where s.result_id = r.result_id), 0) as most
    from results r`,
    [each],
  )
  const stored = new Map(results.rows.map((row) => [row.id, row]))
  const found = conversations.rows.length
  const wrong: string[] = []
  if (found !== keys) wrong.push(`${found} conversations for ${keys} keys`)
  if (stored.size !== keys) wrong.push(`${stored.size} chats for ${keys} keys`)
  for (const { key, id } of conversations.rows) {
    const { answers = [], last = 0, most = 0, dueIn = null } = stored.get(id) ?? {}
    if (JSON.stringify(answers) !== JSON.stringify(messagesOf(key, each))) {
      wrong.push(`${key}: ${answers.length} of ${each} answers, or not in order`)
    }
    if (last !== 1) {
      wrong.push(`${key}: the last silence led to ${last} events, its timer is due in ${dueIn} s`)
    }
    if (most > 1) wrong.push(`${key}: a silence led to ${most} events`)
  }
  return wrong
}

type Happened = { key: string; resultId: string }

/** Checks events; returns a sentence for each that is missing, out of order, or came with two ids. */
export async function judgeEvents(
  pool: pg.Pool,
  { received, each }: { received: readonly ReceivedEvent[]; each: number },
): Promise<string[]> {
  const { rows } = await pool.query<Happened>(
    `select key, result_id as "resultId" from conversations`,
  )
  // Two queries, as above.
  const idle = await pool.query<{ id: string; count: number }>(
    `select result_id as id, count(*)::int as count from session_events
    where type = 'conversation.idle' group by 1`,
  )
  const silences = new Map(idle.rows.map(({ id, count }) => [id, count]))
  const byResult = groupBy(received, ({ resultId }) => resultId)
  return rows.flatMap(({ key, resultId }) => {
    const wrong: string[] = []
    const bySequence = groupBy(byResult.get(resultId) ?? [], ({ sequence }) => sequence)
    const numbers = [...bySequence.keys()].toSorted((one, other) => one - other)
    const wanted = 1 + each + (silences.get(resultId) ?? 0)
    const isWhole = numbers.length === wanted && numbers.every((number, at) => number === at + 1)
    if (!isWhole)
      wrong.push(`${key}: ${numbers.length} of ${wanted} events, up to ${numbers.at(-1)}`)
    const events = numbers.flatMap((number) => bySequence.get(number)?.[0] ?? [])
    if (events[0]?.type !== "conversation.started") {
      wrong.push(`${key}: its first event is not its start`)
    }
    const answers = events.flatMap(({ content }) => content ?? [])
    if (JSON.stringify(answers) !== JSON.stringify(messagesOf(key, each))) {
      wrong.push(`${key}: ${answers.length} of ${each} answers arrived, or not in order`)
    }
    for (const [number, copies] of bySequence) {
      const ids = new Set(copies.map(({ id }) => id))
      if (ids.size > 1) wrong.push(`${key}: event ${number} came under ${ids.size} ids`)
    }
    return wrong
  })
}

function messagesOf(key: string, each: number): string[] {
  return Array.from({ length: each }, (_, turn) => `${key} message ${turn}`)
}
