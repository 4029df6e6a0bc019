-- Responses to requests with an Idempotency-Key in previews: previews have no result under which
-- `idempotency` could hold them. They go with their session, whose number is bounded.
-- Compatible from: 0021

-- Keyed starts under way: others leave one alone until claimed_until.
create unlogged table preview_starts (
  key_id uuid primary key,
  claimed_until timestamptz(3) not null,
  claimed_by text not null,
  created_at timestamptz(3) not null default now()
);

create index preview_starts_age on preview_starts (created_at);

-- call: start or continue. key: that of the request, or the id of the keyed start.
create unlogged table preview_responses (
  session_id text collate "C" not null references preview_sessions (id) on delete cascade,
  call text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  primary key (session_id, call, key)
);

create index preview_responses_age on preview_responses (created_at);

-- The write of a keyed turn of a preview: session and response, or nothing. False: another turn won.
-- Of more responses than p_most the oldest go, which nobody repeats any more.
create function save_keyed_preview(
  p_id text, p_revision int, p_state text, p_key text, p_body_hash bytea, p_body text, p_most int
) returns boolean language plpgsql as $$
declare
  v_gone text[];
begin
  update preview_sessions
  set state = p_state, revision = revision + 1, claimed_until = null, claimed_by = null,
    updated_at = now()
  where id = p_id and revision = p_revision;
  if not found then return false; end if;
  insert into preview_responses (session_id, call, key, body_hash, body)
  values (p_id, 'continue', p_key, p_body_hash, p_body);
  select array_agg(key) into v_gone
  from (
    select key from preview_responses where session_id = p_id and call = 'continue'
    order by key <> p_key, created_at desc, key offset p_most
  ) as too_many;
  delete from preview_responses
  where session_id = p_id and call = 'continue' and key = any(v_gone);
  return true;
end $$;

-- The write of a keyed start: opens the preview as open_preview_session does, and stores the
-- response. False: the id belongs to somebody else, or another process has taken the start over.
create function open_keyed_preview(
  p_id text, p_bot_id text, p_workspace_id text, p_owner_user_id text, p_flow_hash bytea,
  p_state text, p_owner text, p_is_anonymous boolean, p_sessions int, p_sessions_in_all int,
  p_key_id uuid, p_by text, p_body_hash bytea, p_body text, p_most int
) returns boolean language plpgsql as $$
declare
  v_revision int;
  v_gone text[];
begin
  perform from preview_starts where key_id = p_key_id and claimed_by = p_by for update;
  if not found then return false; end if;
  v_revision := open_preview_session(p_id, p_bot_id, p_workspace_id, p_owner_user_id, p_flow_hash,
    p_state, p_owner, p_is_anonymous, p_sessions, p_sessions_in_all);
  if v_revision is null then return false; end if;
  insert into preview_responses (session_id, call, key, body_hash, body)
  values (p_id, 'start', p_key_id::text, p_body_hash, p_body);
  select array_agg(key) into v_gone
  from (
    select key from preview_responses where session_id = p_id and call = 'start'
    order by key <> p_key_id::text, created_at desc, key offset p_most
  ) as too_many;
  delete from preview_responses
  where session_id = p_id and call = 'start' and key = any(v_gone);
  return true;
end $$;
