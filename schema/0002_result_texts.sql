-- Copies of what results say, for searches: a job makes them ahead, so that a search reads one narrow row per result
-- instead of its variables and answers.
-- Compatible from: 0001

-- text: the values of variables and the answers of a result, in capitals without accents; null: a search reads the
-- result itself, because the copy is not made or too long. is_due: the job has to make it. revision: counts the
-- changes of the result, so that a copy of what it was before is not stored. UNLOGGED, because the job makes all
-- copies again, and backups do not need them.
create unlogged table result_texts (
  result_id uuid primary key,
  bot_id text collate "C" not null,
  text text collate "C",
  revision int not null default 0,
  is_due boolean not null default true
);

create index result_texts_of_bot on result_texts (bot_id, result_id desc);
create index result_texts_due on result_texts (result_id) where is_due;

-- Every result up to this id has its row, if it has answers and is not archived. No row: no copies are made. UNLOGGED
-- as those: a crash must empty both.
create unlogged table result_texts_until (
  is_only boolean primary key default true check (is_only),
  until uuid not null
);

-- On a cluster the two have to be where turns find them before one does.
do $$ begin
  if to_regclass('pg_dist_partition') is not null then
    if exists (select from pg_dist_partition where logicalrelid = 'chat_sessions'::regclass) then
      perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
      alter table result_texts set logged;
      perform create_distributed_table('result_texts', 'result_id', colocate_with => 'chat_sessions');
      perform citus_add_local_table_to_metadata('result_texts_until');
    end if;
  end if;
end $$;

-- As before; besides, a turn that writes to a result that may have a copy voids that. The processes of both ages call
-- this one.
create or replace function save_turn(
  p_result_id uuid, p_id text, p_revision int, p_state text, p_turn jsonb,
  p_key text, p_body_hash bytea, p_body text
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := now();
  v_rows jsonb := p_turn;
  v_result_id uuid := p_result_id;
  v_child int := 0;
  v_edges text[];
  v_next int;
  v_stored int;
  v_is_archived boolean;
  -- The first id of an hour ago: texts are copied when results are twice as old.
  v_young uuid := (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 3600000), 12, '0')
    || repeat('0', 20))::uuid;
begin
  if p_revision is null then
    if p_turn ? 'continues' then
      -- An archiving of the result runs before or after this, never meanwhile.
      select is_archived into v_is_archived from results where result_id = p_result_id
      for no key update;
      if v_is_archived or (not found and p_turn->>'continues' = 'earlier') then
        return false;
      end if;
    end if;
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
      -- Another chat of this result may have taken their numbers, or be about to: they then follow its own.
      loop
        select max(idx) + 1 into v_next from answers where result_id = v_result_id;
        insert into answers (result_id, idx, block_id, content, attached_file_urls, created_at, shown)
        select v_result_id, x.idx + greatest(v_next - (v_rows->'answers'->0->>'idx')::int, 0),
          x."blockId", x.content, x."attachedFileUrls", coalesce(x."createdAt", v_now), x.shown
        from jsonb_to_recordset(v_rows->'answers') as x(
          idx int, "blockId" text, content text, "attachedFileUrls" jsonb, "createdAt" timestamptz,
          shown jsonb)
        on conflict (result_id, idx) do nothing;
        get diagnostics v_stored = row_count;
        exit when v_stored = jsonb_array_length(v_rows->'answers');
        if v_stored > 0 then
          raise 'Another chat of this result stores answers now' using errcode = 'serialization_failure';
        end if;
      end loop;
    end if;

    if v_result_id < v_young and v_rows ?| array['result', 'answers'] then
      insert into result_texts (result_id, bot_id) values (v_result_id, v_rows->>'botId')
      on conflict (result_id) do update set
        text = null, is_due = true, revision = result_texts.revision + 1;
    end if;

    if v_rows ? 'step' then
      v_next := (v_rows->'step'->>'step')::int;
      v_edges := array(select jsonb_array_elements_text(v_rows->'step'->'edgeIds'));
      insert into result_steps (result_id, step, edge_ids, set_variables, trace, shown)
      values (v_result_id, v_next, v_edges, v_rows->'step'->'setVariables', v_rows->'step'->'trace',
              v_rows->'step'->'shown')
      on conflict (result_id, step) do nothing;
      if not found then
        select max(step) + 1 into v_next from result_steps where result_id = v_result_id;
        insert into result_steps (result_id, step, edge_ids, set_variables, trace, shown)
        values (v_result_id, v_next, v_edges, v_rows->'step'->'setVariables',
                v_rows->'step'->'trace', v_rows->'step'->'shown');
      end if;
    end if;

    if v_rows ? 'logs' then
      insert into logs (result_id, id, status, description, details, context, created_at)
      select v_result_id, x.id, x.status, x.description, x.details, x.context,
        coalesce(x."createdAt", v_now)
      from jsonb_to_recordset(v_rows->'logs') as x(
        id uuid, status text, description text, details text, context text, "createdAt" timestamptz);
    end if;

    v_rows := p_turn->'children'->v_child;
    exit when v_rows is null;
    v_child := v_child + 1;
    v_result_id := (v_rows->>'resultId')::uuid;
  end loop;

  -- What happens to the conversation beside its rows.
  if p_turn ? 'conversation' then
    v_rows := p_turn->'conversation';
    if v_rows ? 'key' then
      insert into keyed_results (result_id, bot_id, key)
      values (p_result_id, p_turn->>'botId', v_rows->>'key')
      on conflict (result_id) do nothing;
    end if;
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
    if v_rows ? 'told' then
      insert into session_events (result_id, id, session_id, type, data)
      select p_result_id, x.id, p_id, x.type, x.data
      from jsonb_to_recordset(v_rows->'told') as x(id uuid, type text, data jsonb);
    end if;
    if v_rows ? 'kept' then
      insert into kept_messages (result_id, id, session_id, message)
      select p_result_id, x.id, p_id, x.message
      from jsonb_to_recordset(v_rows->'kept') as x(id uuid, message jsonb);
    end if;
  end if;

  if p_turn ? 'events' then
    insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
    select p_result_id, x.id, x."workspaceId", p_turn->>'botId', x.type, x.sequence, x.payload
    from jsonb_to_recordset(p_turn->'events') as x(
      id uuid, "workspaceId" text, type text, sequence int, payload jsonb);
  end if;

  if p_key is not null then
    insert into idempotency (result_id, session_id, key, body_hash, status, body)
    values (p_result_id, p_id, p_key, p_body_hash, 200, p_body);
  end if;
  return true;
end $$;
