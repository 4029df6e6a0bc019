/** A workspace stuffed with names of a megabyte and answers near the limits, written past all checks. */
import { newUuid } from "../../src/lib/ids.ts"
import { ask, bot, group, say, set } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { enlarge, enormous } from "../support/enormous.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

export const database = await testDatabase()
export const server = await testServer({ DATABASE_URL: database.url, PARLEY_RATE_LIMITS: "off" })
const { pool } = database

const { body: listed } = await server.send("GET", "/api/v1/workspaces")
const [own] = listed.workspaces as { id: string }[]
const workspaceId = own?.id ?? ""

const large = "x".repeat(1_000_000)
const count = 40

/** A megabyte stands in the titles and in the names of variables. */
const flow = {
  ...bot(
    group(
      "A",
      say("Hi {{Said}}"),
      set("Copy", "{{Said}}"),
      set("Other", "text"),
      say("Still {{Said}}"),
      ask.text({ id: "ask", saves: "Said" }),
      ask.text({ id: "more" }),
      ask.choice(["Yes", "No"], { id: "choice" }),
    ),
  ),
  name: enormous,
}

const { botId, publicId } = await publishBot(server, flow)
// Ids stay as they are, and so does the name that texts mention.
await pool.query(
  `update bot_versions set payload = jsonb_set(jsonb_set(payload, '{groups,0,title}',
    to_jsonb($2::text)), '{variables}', (
    select jsonb_agg(v || case when v->>'name' = 'Said' then '{}'::jsonb
      else jsonb_build_object('name', $2 || ' ' || (v->>'name')) end)
    from jsonb_array_elements(payload->'variables') v)) where bot_id = $1`,
  [botId, enormous],
)
// A session, which holds the title as the name of an answer, has at most a megabyte.
await enlarge(database, botId, 200_000)
const chat = await chatOver(server, publicId)
const { sessionId, resultId } = chat.step
if (resultId === undefined) throw new Error(JSON.stringify(chat.step).slice(0, 1_000))
await chat.say("y".repeat(100_000))
const key = "key"
await post(`/bots/${botId}/conversations/${key}/messages`, {})

/** Rows as they are, copied with new ids: dozens of results, conversations, versions and so on. */
await pool.query(
  `insert into results (result_id, bot_id, version_id, variables, has_started, last_chat_session_id)
  select (left(result_id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, $1, version_id,
    jsonb_build_array(jsonb_build_object('id', 'v', 'name', $3::text, 'value', 'a value')), true, 's'
  from results, generate_series(1, ${count}) n where result_id = $2`,
  [botId, resultId, large],
)
await pool.query(
  `insert into answers (result_id, idx, block_id, content)
  select result_id, n, 'ask', 'said' from results, generate_series(10, 20) n where bot_id = $1`,
  [botId],
)
// JSON writes each of these characters as six.
await pool.query(
  `insert into answers (result_id, idx, block_id, content, created_at)
  select $1, n, 'ask', repeat(chr(1), 2000), now() + make_interval(secs => n)
  from generate_series(100, 3000) n`,
  [resultId],
)
// As many turns as answers, each of which has shown something.
await pool.query(
  `insert into result_steps (result_id, step, created_at, shown)
  select result_id, idx, created_at, jsonb_build_array(jsonb_build_object('a', 'ask'), 'ask',
    jsonb_build_object('b', 'ask', 't', repeat(chr(1), 300)))
  from answers where result_id = $1 and idx >= 100`,
  [resultId],
)
await pool.query(
  `insert into logs (result_id, id, status, description, details, context)
  select $1, gen_random_uuid(), 'error', $2, $2, $2 from generate_series(1, 2)`,
  [resultId, large],
)
await pool.query(
  `insert into conversations (key_id, bot_id, key, result_id, session_id)
  select gen_random_uuid(), $1, 'key ' || n,
    (left($2::text, 24) || lpad(to_hex(n + ${count}), 12, '0'))::uuid, 'session ' || n
  from generate_series(1, ${count}) n`,
  [botId, resultId],
)
await pool.query(
  `insert into chat_sessions (result_id, id, bot_id, version_id, state)
  select c.result_id, c.session_id, $1, s.version_id, s.state
  from conversations c, chat_sessions s where c.bot_id = $1 and s.id = $2 and c.key like 'key %'`,
  [botId, sessionId],
)
await pool.query(
  `insert into bot_versions (id, bot_id, number, schema_version, content_hash, payload, note)
  select gen_random_uuid(), bot_id, 1 + n, schema_version, sha256(n::text::bytea), '{}', $2
  from bot_versions, generate_series(1, ${count}) n where bot_id = $1`,
  [botId, large],
)
await pool.query(
  `insert into publications (bot_id, at, kind, version_id, note)
  select bot_id, now() - make_interval(secs => number), 'publish', id, note
  from bot_versions where bot_id = $1 and number > 1`,
  [botId],
)
await pool.query(
  `insert into bots (id, workspace_id, version, name, icon)
  select 'bot ' || n, $1, '6.1', $2, '🤖' from generate_series(1, ${count}) n`,
  [workspaceId, large],
)
await pool.query(
  `insert into folders (id, workspace_id, name)
  select 'folder ' || n, $1, $2 from generate_series(1, ${count}) n`,
  [workspaceId, large],
)
/** As long as those names may be that were always bounded. */
const longName = large.slice(0, 255)
await pool.query(
  `insert into theme_templates (id, workspace_id, name, theme)
  select 'template ' || n, $1, $2, '{}' from generate_series(1, ${count}) n`,
  [workspaceId, longName],
)
await pool.query(
  `insert into author_files (id, workspace_id, bot_id, key, name, bytes)
  select kind || ' file ' || n, $1, case kind when 'bot' then $2 end, kind || n, $3, 1
  from generate_series(1, ${count}) n, unnest(array['bot', 'workspace']) kind`,
  [workspaceId, botId, longName],
)
await pool.query(
  `insert into user_sessions (id, user_id, secret_hash, method, user_agent, expires_at)
  select 'session ' || n, id, sha256(n::text::bytea), 'mail', $1, now() + interval '1 day'
  from users, generate_series(1, ${count}) n`,
  [longName],
)
await pool.query(
  `insert into users (id, email, name)
  select 'user ' || n, n || $1, $1 from generate_series(1, ${count}) n`,
  [longName],
)
await pool.query(
  `insert into workspace_members (workspace_id, user_id, role)
  select $1, 'user ' || n, 'GUEST' from generate_series(1, ${count}) n`,
  [workspaceId],
)
await pool.query(
  `insert into workspace_invitations (id, workspace_id, email, role)
  select 'invitation ' || n, $1, n || $2, 'GUEST' from generate_series(1, ${count}) n`,
  [workspaceId, longName],
)
await pool.query(
  `insert into bot_invitations (id, bot_id, email, type)
  select 'collaborator ' || n, $1, n || $2, 'READ' from generate_series(1, ${count}) n`,
  [botId, longName],
)
await pool.query(
  `insert into workspace_variables (workspace_id, name, value)
  select $1, 'variable' || n, $2 from generate_series(1, ${count}) n`,
  [workspaceId, large.slice(0, 10_000)],
)
const hook = { url: "http://hooks.example/", types: ["answer.submitted"] }
const { endpoint } = await post(`/workspaces/${workspaceId}/webhookEndpoints`, hook)
const endpointId = (endpoint as { id: string }).id
const deliveryId = newUuid()
await pool.query(
  `insert into deliveries (endpoint_id, id, event_id, result_id, type, body, state, answer, error)
  select $1, case n when 1 then $2::uuid else gen_random_uuid() end, gen_random_uuid(),
    gen_random_uuid(), 'answer.submitted', '{}', 'failed', $3, $3
  from generate_series(1, ${count}) n`,
  [endpointId, deliveryId, large],
)
const people = await post("/users/me/api-tokens", { name: "Own" })
const credential = await post("/credentials", {
  workspaceId,
  credentials: { type: "http proxy", name: "Own", data: { url: "http://proxy.example" } },
})
await pool.query("update users set name = $1", [large.slice(0, 255)])

/** What paths and queries name. */
export const target: Readonly<Record<string, string>> = {
  workspaceId,
  botId,
  publicId,
  key,
  sessionId,
  resultId,
  endpointId,
  deliveryId,
  credentialsId: String(credential.credentialsId),
  tokenId: (people.apiToken as { id: string }).id,
  number: "1",
  blockId: "ask",
  folderId: "folder 1",
  templateId: "template 1",
  userId: "user 1",
  invitationId: "invitation 1",
  collaboratorId: "collaborator 1",
  fileId: "bot file 1",
  userSessionId: "session 1",
  variableName: "variable1",
}

async function post(path: string, body: object) {
  const reply = await server.send("POST", `/api/v1${path}`, { body })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body).slice(0, 1_000))
  return reply.body
}
