-- Events to the outside: who wants them, events that are yet to be handed out, and their deliveries.
-- Compatible from: 0028

-- bot_ids: null = all bots of the workspace. data, nonce and key_id: the sealed secret, as in
-- credentials. Without a url: somebody who fetches events for a while, until expires_at.
-- disabled_reason: null while nobody but a person disabled it.
create table webhook_endpoints (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  url text,
  types text[] not null,
  bot_ids text[],
  description text,
  is_enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  data bytea,
  nonce bytea check (octet_length(nonce) = 12),
  key_id smallint,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_failure text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (url is null or data is not null and nonce is not null and key_id is not null)
);

create index webhook_endpoints_listed on webhook_endpoints (workspace_id);

-- A queue: rows are written with a turn, and go when their deliveries are written. An event of a bot
-- has an id of its own for result_id, and no sequence.
create table outbox (
  result_id uuid not null,
  id uuid not null,
  workspace_id text collate "C" not null,
  bot_id text collate "C" not null,
  type text not null,
  sequence int,
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

create index outbox_age on outbox (created_at);

-- One event for one endpoint, kept for 30 days; ids rise in the order in which deliveries begin.
-- attempts: since it was last asked for. What follows next_at is of the last attempt.
create table deliveries (
  endpoint_id text collate "C" not null references webhook_endpoints (id) on delete cascade,
  id uuid not null,
  event_id uuid not null,
  result_id uuid not null,
  type text not null,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  next_at timestamptz(3),
  attempted_at timestamptz(3),
  status int,
  duration_ms int,
  answer text,
  error text,
  created_at timestamptz(3) not null default now(),
  primary key (endpoint_id, id)
);

create index deliveries_due on deliveries (endpoint_id, next_at, id) where state = 'pending';
create index deliveries_result on deliveries (result_id);
create index deliveries_age on deliveries (created_at);

-- save_turn as in 0028, and with
--   p_turn       {…, events?}
--     events     [{id, workspaceId, type, sequence, payload}], for the outbox

create or replace function save_turn(
  p_result_id uuid,
  p_id text,
  p_revision int,
  p_state text,
  p_turn jsonb,
  p_key text,
  p_body_hash bytea,
  p_body text
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := now();
  v_rows jsonb := p_turn;
  v_result_id uuid := p_result_id;
  v_child int := 0;
  v_edges text[];
  v_next int;
  r record;
begin
  if p_revision is null then
    if p_state is not null then
      insert into chat_sessions (result_id, id, bot_id, version_id, state, expires_at)
      values (p_result_id, p_id, p_turn->>'botId', (p_turn->>'versionId')::uuid, p_state,
              (p_turn->>'expiresAt')::timestamptz)
      on conflict (result_id, id) do nothing;
      if not found then return false; end if;
    end if;
  elsif p_state is null then
    delete from chat_sessions
    where result_id = p_result_id and id = p_id and revision = p_revision;
    if not found then return false; end if;
  else
    update chat_sessions set
      state = p_state,
      revision = revision + 1,
      version_id = (p_turn->>'versionId')::uuid,
      claimed_until = null,
      claimed_by = null,
      expires_at = (p_turn->>'expiresAt')::timestamptz,
      updated_at = now()
    where result_id = p_result_id and id = p_id and revision = p_revision;
    if not found then return false; end if;
  end if;

  -- First the rows of the session's own result, then those of each child.
  loop
    if v_rows ? 'result' then
      insert into results (result_id, bot_id, version_id, variables, has_started, is_completed,
                           last_chat_session_id)
      values (v_result_id, v_rows->>'botId', (v_rows->>'versionId')::uuid,
              v_rows->'result'->'variables', (v_rows->'result'->>'hasStarted')::boolean,
              (v_rows->'result'->>'isCompleted')::boolean, p_id)
      on conflict (result_id) do update set
        variables = excluded.variables,
        has_started = results.has_started or excluded.has_started,
        is_completed = results.is_completed or excluded.is_completed,
        last_chat_session_id = excluded.last_chat_session_id;
    end if;

    if v_rows ? 'answers' then
      for r in
        select x.* from jsonb_to_recordset(v_rows->'answers') as x(
          idx int, "blockId" text, content text, "attachedFileUrls" jsonb, "createdAt" timestamptz)
      loop
        insert into answers (result_id, idx, block_id, content, attached_file_urls, created_at)
        values (v_result_id, r.idx, r."blockId", r.content, r."attachedFileUrls",
                coalesce(r."createdAt", v_now))
        on conflict (result_id, idx) do nothing;
        if not found then
          select max(idx) + 1 into v_next from answers where result_id = v_result_id;
          insert into answers (result_id, idx, block_id, content, attached_file_urls, created_at)
          values (v_result_id, v_next, r."blockId", r.content, r."attachedFileUrls",
                  coalesce(r."createdAt", v_now));
        end if;
      end loop;
    end if;

    if v_rows ? 'step' then
      v_next := (v_rows->'step'->>'step')::int;
      v_edges := array(select jsonb_array_elements_text(v_rows->'step'->'edgeIds'));
      insert into result_steps (result_id, step, edge_ids, set_variables)
      values (v_result_id, v_next, v_edges, v_rows->'step'->'setVariables')
      on conflict (result_id, step) do nothing;
      if not found then
        select max(step) + 1 into v_next from result_steps where result_id = v_result_id;
        insert into result_steps (result_id, step, edge_ids, set_variables)
        values (v_result_id, v_next, v_edges, v_rows->'step'->'setVariables');
      end if;
    end if;

    if v_rows ? 'logs' then
      for r in
        select x.* from jsonb_to_recordset(v_rows->'logs') as x(
          id uuid, status text, description text, details text, context text,
          "createdAt" timestamptz)
      loop
        insert into logs (result_id, id, status, description, details, context, created_at)
        values (v_result_id, r.id, r.status, r.description, r.details, r.context,
                coalesce(r."createdAt", v_now));
      end loop;
    end if;

    v_rows := p_turn->'children'->v_child;
    exit when v_rows is null;
    v_child := v_child + 1;
    v_result_id := (v_rows->>'resultId')::uuid;
  end loop;

  -- What happens to the conversation beside its rows.
  if p_turn ? 'conversation' then
    v_rows := p_turn->'conversation';
    if v_rows ? 'timer' then
      insert into timers (result_id, session_id, due_at)
      values (p_result_id, p_id, now() + make_interval(secs => (v_rows->>'timer')::float8))
      on conflict (result_id, session_id) do update set due_at = excluded.due_at;
    end if;
    if v_rows ? 'ended' then
      insert into ended_chats (result_id, session_id, state)
      values (p_result_id, p_id, v_rows->>'ended')
      on conflict (result_id, session_id) do nothing;
      delete from timers where result_id = p_result_id and session_id = p_id;
    end if;
    for r in
      select x.* from jsonb_to_recordset(v_rows->'told') as x(id uuid, type text, data jsonb)
    loop
      insert into session_events (result_id, id, session_id, type, data)
      values (p_result_id, r.id, p_id, r.type, r.data);
    end loop;
    for r in
      select x.* from jsonb_to_recordset(v_rows->'kept') as x(id uuid, message jsonb)
    loop
      insert into kept_messages (result_id, id, session_id, message)
      values (p_result_id, r.id, p_id, r.message);
    end loop;
  end if;

  if p_turn ? 'events' then
    for r in
      select x.* from jsonb_to_recordset(p_turn->'events') as x(
        id uuid, "workspaceId" text, type text, sequence int, payload jsonb)
    loop
      insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
      values (p_result_id, r.id, r."workspaceId", p_turn->>'botId', r.type, r.sequence, r.payload);
    end loop;
  end if;

  if p_key is not null then
    insert into idempotency (result_id, session_id, key, body_hash, status, body)
    values (p_result_id, p_id, p_key, p_body_hash, 200, p_body);
  end if;
  return true;
end $$;
