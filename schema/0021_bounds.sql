-- Bounds on what people without a token store: how much each chat and each address was given leave to
-- upload, and whose each preview is, so that previews are bounded as they are stored.
-- Compatible from: 0019

-- A scope is the hash of a session id, or of an address and an hour.
create table upload_tallies (
  scope text collate "C" primary key,
  files int not null,
  bytes bigint not null,
  -- Of the latest address for an upload; when it has expired, the store knows what there is.
  signed_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

create index upload_tallies_age on upload_tallies (expires_at);

-- The owner is a user, a workspace or, of an anonymous preview, an address; null before this migration.
alter table preview_flows
  add column owner text collate "C",
  add column is_anonymous boolean;

alter table preview_sessions
  add column owner text collate "C",
  add column is_anonymous boolean;

create index preview_flows_owner on preview_flows (is_anonymous, owner);
create index preview_sessions_owner on preview_sessions (is_anonymous, owner);

-- Whoever stores a preview holds the row of its class: two at once cannot both take the last place.
create table preview_classes (
  is_anonymous boolean primary key
);

insert into preview_classes (is_anonymous) values (false), (true);

-- Stores a flow, or notes that it was used again. What is over the bounds goes, the least recently
-- used first: of the same owner, then of everybody in the same class, never of the other class.
create function save_preview_flow(
  p_hash bytea, p_payload text, p_owner text, p_is_anonymous boolean,
  p_flows int, p_bytes bigint, p_flows_in_all int, p_bytes_in_all bigint
) returns void language plpgsql as $$
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
    select hash, row_number() over of_owner as flows, sum(bytes) over of_owner as bytes,
      row_number() over of_all as flows_in_all, sum(bytes) over of_all as bytes_in_all
    from (
      select hash, owner, hash <> p_hash as is_other, last_used_at, octet_length(payload) as bytes
      from preview_flows where is_anonymous = p_is_anonymous
    ) as stored
    window of_owner as (partition by owner order by is_other, last_used_at desc, hash
        rows unbounded preceding),
      of_all as (order by is_other, last_used_at desc, hash rows unbounded preceding)
  ) as ranked
  where flows > p_flows or bytes > p_bytes
    or flows_in_all > p_flows_in_all or bytes_in_all > p_bytes_in_all;
  if v_gone is not null then
    delete from preview_flows where hash = any(v_gone);
  end if;
end $$;

-- Opens a preview, or replaces the one of the same user that has this id; null: it is somebody
-- else's. Bounded as flows are; no number in all: only each owner is bounded.
create function open_preview_session(
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
    flow_hash = excluded.flow_hash, state = excluded.state, owner = excluded.owner,
    is_anonymous = excluded.is_anonymous, revision = preview_sessions.revision + 1,
    claimed_until = null, claimed_by = null, updated_at = excluded.updated_at
  where preview_sessions.owner_user_id is not distinct from excluded.owner_user_id
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
