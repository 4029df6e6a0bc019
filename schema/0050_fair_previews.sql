-- When all strangers, or all members, have too many previews, those go first that are the most of one owner.
-- The oldest went before, so that a few addresses that began many pushed out what others tried.
-- Compatible from: 0048

create or replace function save_preview_flow(p_hash bytea, p_payload text, p_owner text, p_is_anonymous boolean, p_flows integer, p_bytes bigint, p_flows_in_all integer, p_bytes_in_all bigint)
 returns void
 language plpgsql
as $$
declare
  v_gone bytea[];
begin
  update preview_flows set last_used_at = now() where hash = p_hash;
  if found then return; end if;
  perform from preview_classes where is_anonymous = p_is_anonymous for update;
  insert into preview_flows (hash, payload, owner, is_anonymous)
  values (p_hash, p_payload, p_owner, p_is_anonymous)
  on conflict (hash) do nothing;
  select array_agg(hash) into v_gone
  from (
    select hash, flows, bytes,
      row_number() over (order by is_other, flows, last_used_at desc, hash) as flows_in_all,
      sum(own_bytes) over (order by is_other, bytes, last_used_at desc, hash
        rows unbounded preceding) as bytes_in_all
    from (
      select hash, is_other, last_used_at, own_bytes,
        row_number() over of_owner as flows, sum(own_bytes) over of_owner as bytes
      from (
        select hash, owner, hash <> p_hash as is_other, last_used_at,
          octet_length(payload) as own_bytes
        from preview_flows where is_anonymous = p_is_anonymous
      ) as stored
      window of_owner as (partition by owner order by is_other, last_used_at desc, hash
          rows unbounded preceding)
    ) as of_owners
  ) as ranked
  where flows > p_flows or bytes > p_bytes
    or flows_in_all > p_flows_in_all or bytes_in_all > p_bytes_in_all;
  if v_gone is not null then
    delete from preview_flows where hash = any(v_gone);
  end if;
end $$;

create or replace function open_preview_session(p_id text, p_bot_id text, p_workspace_id text, p_owner_user_id text, p_flow_hash bytea, p_state text, p_owner text, p_is_anonymous boolean, p_sessions integer, p_sessions_in_all integer)
 returns integer
 language plpgsql
as $$
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
      select id
      from (
        select id, updated_at,
          row_number() over (partition by owner order by id <> p_id, updated_at desc, id) as place
        from preview_sessions where is_anonymous = p_is_anonymous
      ) as ranked
      order by id <> p_id, place, updated_at desc, id offset p_sessions_in_all
    ) as too_many;
    delete from preview_sessions where id = any(v_gone);
  end if;
  return v_revision;
end $$;
