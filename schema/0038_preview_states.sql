-- Previews of members can go back: the states before their last answers. They go with their session.
-- UNLOGGED, as all of previews.
-- Compatible from: 0037

-- revision: that of the session when it was left for the next state.
create unlogged table preview_states (
  session_id text collate "C" not null references preview_sessions (id) on delete cascade,
  revision int not null,
  state text not null,
  primary key (session_id, revision)
);

alter table preview_states alter column state set storage external;

-- The write of a turn that took an answer: keeps the state before it. The oldest states beyond the bounds
-- go, but never the last one. p_key: that of the request; null: it has none. False: another turn won.
create function save_answered_preview(
  p_id text, p_revision int, p_state text, p_most_states int, p_most_bytes int,
  p_key text, p_body_hash bytea, p_body text, p_most_responses int
) returns boolean language plpgsql as $$
declare
  v_state text;
  v_gone int;
begin
  select state into v_state from preview_sessions
  where id = p_id and revision = p_revision for update;
  if not found then return false; end if;
  insert into preview_states (session_id, revision, state) values (p_id, p_revision, v_state);
  select max(revision) into v_gone
  from (
    select revision, row_number() over newest as place, sum(octet_length(state)) over newest as bytes
    from preview_states where session_id = p_id
    window newest as (order by revision desc)
  ) as kept
  where place > p_most_states or (place > 1 and bytes > p_most_bytes);
  delete from preview_states where session_id = p_id and revision <= v_gone;
  if p_key is not null then
    return save_keyed_preview(p_id, p_revision, p_state, p_key, p_body_hash, p_body, p_most_responses);
  end if;
  update preview_sessions
  set state = p_state, revision = revision + 1, claimed_until = null, claimed_by = null,
    updated_at = now()
  where id = p_id;
  return true;
end $$;

-- Goes back to a kept state, which p_state is but for what only ever grows. False: a turn came first.
create function restore_preview_state(p_id text, p_revision int, p_state text, p_kept int)
returns boolean language plpgsql as $$
begin
  update preview_sessions
  set state = p_state, revision = revision + 1, claimed_until = null, claimed_by = null,
    updated_at = now()
  where id = p_id and revision = p_revision;
  if not found then return false; end if;
  delete from preview_states where session_id = p_id and revision >= p_kept;
  return true;
end $$;

-- As before; and a preview that begins has no way back into an earlier one under its id.
create or replace function open_preview_session(
  p_id text, p_bot_id text, p_workspace_id text, p_owner_user_id text, p_flow_hash bytea,
  p_state text, p_owner text, p_is_anonymous boolean, p_sessions int, p_sessions_in_all int
) returns int language plpgsql as $$
declare
  v_revision int;
  v_gone text[];
begin
  perform from preview_classes where is_anonymous = p_is_anonymous for update;
  insert into preview_sessions
    (id, bot_id, workspace_id, owner_user_id, flow_hash, state, owner, is_anonymous, updated_at)
  values (p_id, p_bot_id, p_workspace_id, p_owner_user_id, p_flow_hash, p_state, p_owner,
          p_is_anonymous, now())
  on conflict (id) do update set bot_id = excluded.bot_id, workspace_id = excluded.workspace_id,
    flow_hash = excluded.flow_hash, state = excluded.state,
    revision = preview_sessions.revision + 1,
    claimed_until = null, claimed_by = null, updated_at = excluded.updated_at
  where preview_sessions.owner = excluded.owner
  returning revision into v_revision;
  if v_revision is null then return null; end if;
  delete from preview_states where session_id = p_id;
  select array_agg(id) into v_gone
  from (
    select id from preview_sessions where is_anonymous = p_is_anonymous and owner = p_owner
    order by id <> p_id, updated_at desc, id offset p_sessions
  ) as too_many;
  delete from preview_sessions where id = any(v_gone);
  if p_sessions_in_all is not null then
    select array_agg(id) into v_gone
    from (
      select id from preview_sessions where is_anonymous = p_is_anonymous
      order by id <> p_id, updated_at desc, id offset p_sessions_in_all
    ) as too_many;
    delete from preview_sessions where id = any(v_gone);
  end if;
  return v_revision;
end $$;
