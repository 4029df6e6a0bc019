/** Fills a database with what years of chats leave behind, a set of rows at a time. */
import pg from "pg"

/** How much, and for which bot. */
export type Filling = {
  url: string
  /** A published bot; every other result is one of its own. */
  botId: string
  /** Results with answers, five of them each; a quarter as many more have none. */
  results: number
}

/** Other bots, each with a workspace, an owner and a token. */
const others = 2_000
const days = 60

/** The id of a result made these many milliseconds after 1970: a UUIDv7, as the service makes them. */
const idAt = (ms: string) =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`

const text = (length: number) =>
  `substr(repeat(md5(i::text), ${Math.ceil(length / 32)}), 1, ${length})`

/** Rows that every service has beside its chats: i counts from 1. */
const accounts = [
  `insert into users (id, email) select 'user' || i, i || '@example.com' from series`,
  `insert into api_tokens (id, owner_id, name, token_hash, hint)
   select 'token' || i, 'user' || i, 'Token', sha256(i::text::bytea), 'abcd' from series`,
  `insert into workspaces (id, name) select 'space' || i, 'Space ' || i from series`,
  `insert into workspace_members (workspace_id, user_id, role)
   select 'space' || i, 'user' || i, 'ADMIN' from series`,
  `insert into bots (id, workspace_id, version, name, public_id)
   select 'bot' || i, 'space' || i, '6.1', 'Bot ' || i, 'public-' || i from series`,
  `insert into bot_collaborators (bot_id, user_id, type)
   select 'bot' || i, 'user' || (1 + (i + 1) % ${others}), 'READ' from series`,
  `insert into bot_versions (id, bot_id, number, schema_version, content_hash, payload)
   select ${idAt("1000 + i")}, 'bot' || i, 1, '6.1', sha256(i::text::bytea), '{}' from series`,
  `insert into published_bots (id, bot_id, version_id)
   select bot_id, bot_id, id from bot_versions where bot_id ~ '^bot[0-9]+$'`,
  `insert into webhook_endpoints (id, workspace_id, types, is_enabled)
   select 'endpoint' || i, 'space' || i, array['answer.submitted'], false from series`,
]

const results = `insert into results (result_id, bot_id, version_id, variables, has_started,
    is_completed, last_chat_session_id, created_at)
  select ${idAt("ms")}, case when i % 2 = 0 then $2 else 'bot' || (1 + i % ${others}) end,
    coalesce(case when i % 2 = 0 then $3::uuid end, gen_random_uuid()),
    case when i % 5 = 0 then '[]' else jsonb_build_array(
      jsonb_build_object('id', 'v1', 'name', 'Name', 'value', ${text(20)}),
      jsonb_build_object('id', 'v2', 'name', 'Email', 'value', ${text(24)}),
      jsonb_build_object('id', 'v3', 'name', 'Topic', 'value', ${text(60)})) end,
    i % 5 <> 0, i % 5 in (1, 2, 3), ${text(54)}, to_timestamp(ms / 1000.0)
  from (
    select i, (extract(epoch from now()) * 1000)::bigint - ($1::bigint - i) * ${days * 86_400_000} / $1 as ms
    from generate_series(1, $1::bigint) i
  ) made order by i`

/** Rows that belong to results of the bot that have answers, and of how many results one has them. */
const ofResults: [sql: string, ofEvery: number][] = [
  [
    `insert into answers (result_id, idx, block_id, content, created_at)
     select result_id, idx, 'block' || idx, ${text(40)}, created_at
     from part cross join generate_series(0, 4) idx where has_started`,
    1,
  ],
  [
    `insert into result_texts (result_id, bot_id, text, is_due)
     select result_id, bot_id, ${text(300)}, false from part`,
    5,
  ],
  [
    `insert into result_steps (result_id, step, edge_ids, set_variables)
     select result_id, step, array['edge' || i / 10 % 50],
       '[{"index":0,"blockIndex":0,"blockId":"b","variableId":"v1","value":"something"}]'
     from part cross join generate_series(0, 2) step`,
    10,
  ],
  [
    `insert into logs (result_id, id, status, description, created_at)
     select result_id, ${idAt("i")}, 'error', ${text(60)}, created_at
     from part cross join generate_series(0, 1)`,
    10,
  ],
  [
    `insert into chat_sessions (result_id, id, bot_id, version_id, state)
     select result_id, last_chat_session_id, bot_id, version_id,
       jsonb_build_object('text', ${text(1_500)})::text from part`,
    20,
  ],
  [
    `insert into idempotency (result_id, session_id, key, body_hash, status, body)
     select result_id, last_chat_session_id, 'key' || i, sha256('x'), 200, ${text(800)} from part`,
    50,
  ],
  [
    `insert into upload_tallies (scope, files, bytes, expires_at)
     select left(encode(sha256(convert_to('chat ' || last_chat_session_id, 'UTF8')), 'hex'), 40),
       1, 1, now() from part`,
    1,
  ],
  [
    `insert into start_keys (key_id, result_id, session_id, body_hash)
     select gen_random_uuid(), result_id, last_chat_session_id, sha256('x') from part`,
    50,
  ],
  [
    `insert into webhook_calls (result_id, id, session_id, block_id, body)
     select result_id, ${idAt("i")}, last_chat_session_id, 'block', ${text(100)} from part`,
    5,
  ],
  [
    `insert into ended_chats (result_id, session_id, state)
     select result_id, last_chat_session_id, 'ended' from part`,
    5,
  ],
  [
    `insert into kept_messages (result_id, id, session_id, message)
     select result_id, ${idAt("i")}, last_chat_session_id, '{}' from part`,
    5,
  ],
  [
    `insert into session_events (result_id, id, session_id, type, data)
     select result_id, ${idAt("i")}, last_chat_session_id, 'type', '{}' from part`,
    5,
  ],
  [
    `insert into timers (result_id, session_id, due_at)
     select result_id, last_chat_session_id, now() + i * interval '1 hour' from part`,
    5,
  ],
  [
    `insert into conversations (key_id, bot_id, key, result_id, session_id)
     select result_id, 'bot' || i, 'key' || i, result_id, last_chat_session_id from part`,
    5,
  ],
  [
    `insert into keyed_results (result_id, bot_id, key)
     select result_id, bot_id, 'key' || (i / 5 % 51) from part`,
    5,
  ],
  [
    `insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
     select result_id, ${idAt("i")}, 'space1', bot_id, 'answer.submitted', 1, '{}' from part`,
    5,
  ],
  [
    `insert into event_bodies (id, result_id, body) select ${idAt("i")}, result_id, ${text(400)} from part`,
    5,
  ],
  [
    `insert into deliveries (endpoint_id, id, event_id, result_id, type, state)
     select 'endpoint' || (1 + i % ${others}), ${idAt("i")}, ${idAt("i")}, result_id,
       'answer.submitted', 'delivered' from part`,
    5,
  ],
  [
    `insert into preview_sessions (id, owner_user_id, flow_hash, state)
     select 'preview' || i, 'user' || (1 + i % ${others}), sha256(i::text::bytea), ${text(1_500)} from part`,
    20,
  ],
  [
    `insert into preview_states (session_id, revision, state)
     select 'preview' || i, 1, ${text(1_500)} from part`,
    20,
  ],
  [
    `insert into preview_flows (hash, payload)
     select sha256(i::text::bytea), jsonb_build_object('theme', ${text(5_000)})::text from part`,
    20,
  ],
]

/** Fills a database whose only results, if any, are those of a few chats; then vacuums and analyses it. */
export async function fill({ url, botId, results: count }: Filling): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set statement_timeout = 0")
    await client.query("set synchronous_commit = off")
    const series = `with series as (select generate_series(1, ${others}) i)`
    for (const insert of accounts) await client.query(underWith(series, insert))
    const { rows } = await client.query("select version_id from published_bots where bot_id = $1", [
      botId,
    ])
    await client.query(results, [Math.ceil(count * 1.25), botId, rows[0]?.version_id])
    for (const [insert, ofEvery] of ofResults) {
      const part = `with part as (
        select * from (select results.*, row_number() over (order by result_id) i from results) r
        where (i + 4) % ${ofEvery} = 0)`
      await client.query(underWith(part, insert))
    }
    await client.query("vacuum (analyze)")
    await client.query("checkpoint")
  } finally {
    await client.end()
  }
}

/** Puts a WITH clause before the SELECT of an INSERT. */
function underWith(part: string, insert: string): string {
  return insert.replace(/\bselect\b/, `${part} select`)
}
