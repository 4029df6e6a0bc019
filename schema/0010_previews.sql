-- Previews: flows tried before they are published. UNLOGGED, because losing them at a crash costs
-- nothing. They have no result id; the flow is stored first and the session second.

create unlogged table preview_flows (
  hash bytea primary key check (octet_length(hash) = 32),
  payload text not null,
  last_used_at timestamptz(3) not null default now()
);

create index preview_flows_age on preview_flows (last_used_at);

-- bot_id, workspace_id and owner_user_id come from the database, never from the request; all three
-- are null for an anonymous caller.
create unlogged table preview_sessions (
  id text collate "C" primary key,
  bot_id text collate "C",
  workspace_id text collate "C",
  owner_user_id text collate "C",
  flow_hash bytea not null,
  state text not null,
  revision int not null default 0,
  claimed_until timestamptz(3),
  claimed_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02
);

alter table preview_sessions alter column state set storage external;
