-- Webhooks: endpoints, events that were not handed out yet, and their deliveries.
-- Compatible from: 0028
-- Formerly: 603196859e5723c3ff7e9e976e0c5802e611bd8e778c5f1653159db78d657ca3

-- bot_ids: null = all bots of the workspace. data, nonce and key_id: the sealed secret, as in
-- credentials. Without a url: a listener that fetches its events, until expires_at.
-- disabled_reason: null unless the service disabled it.
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

-- A queue: rows are written with a turn and deleted when their deliveries are written. An event of
-- a bot has its own id as result_id, and no sequence.
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
-- attempts: since the last request for it. The columns after next_at describe the last attempt.
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
