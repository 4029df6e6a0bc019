-- Callers may choose the ids of previews: one that exists is replaced only by whoever began it, which for
-- callers without a token is their address.
-- Compatible from: 0036

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
