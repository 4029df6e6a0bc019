-- Responses to requests with an Idempotency-Key in previews, kept for a day: previews have no result
-- under which `idempotency` could hold them. A row belongs to the preview of the same id.
-- Compatible from: 0019

-- call: start or continue. key: that of the request, or the id of the keyed start. body null: the
-- start is under way, and is left alone until claimed_until.
create unlogged table preview_responses (
  session_id text collate "C" not null,
  call text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  body text,
  claimed_until timestamptz(3),
  claimed_by text,
  created_at timestamptz(3) not null default now(),
  primary key (session_id, call, key)
);

create index preview_responses_age on preview_responses (created_at);

-- The write of a keyed turn of a preview: session and response, or nothing. False: another turn won.
create function save_keyed_preview(
  p_id text, p_revision int, p_state text, p_key text, p_body_hash bytea, p_body text
) returns boolean language plpgsql as $$
begin
  update preview_sessions
  set state = p_state, revision = revision + 1, claimed_until = null, claimed_by = null,
    updated_at = now()
  where id = p_id and revision = p_revision;
  if not found then return false; end if;
  insert into preview_responses (session_id, call, key, body_hash, body)
  values (p_id, 'continue', p_key, p_body_hash, p_body);
  return true;
end $$;

-- The write of a keyed start: opens the preview, or replaces the one of the same owner, and stores
-- the response. False: the id belongs to somebody else, or another process has taken the start over.
create function open_keyed_preview(
  p_id text, p_bot_id text, p_workspace_id text, p_owner_user_id text, p_flow_hash bytea,
  p_state text, p_key text, p_by text, p_body text
) returns boolean language plpgsql as $$
begin
  perform from preview_responses
  where session_id = p_id and call = 'start' and key = p_key and claimed_by = p_by and body is null
  for update;
  if not found then return false; end if;
  insert into preview_sessions
    (id, bot_id, workspace_id, owner_user_id, flow_hash, state, updated_at)
  values (p_id, p_bot_id, p_workspace_id, p_owner_user_id, p_flow_hash, p_state, now())
  on conflict (id) do update set bot_id = excluded.bot_id, workspace_id = excluded.workspace_id,
    flow_hash = excluded.flow_hash, state = excluded.state,
    revision = preview_sessions.revision + 1, claimed_until = null, claimed_by = null,
    updated_at = excluded.updated_at
  where preview_sessions.owner_user_id is not distinct from excluded.owner_user_id;
  if not found then return false; end if;
  update preview_responses set body = p_body
  where session_id = p_id and call = 'start' and key = p_key;
  return true;
end $$;
