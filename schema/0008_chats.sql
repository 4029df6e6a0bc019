-- The hot tables: what chats write. They can be distributed over several servers by result_id, so
-- result_id leads every primary key, no other unique index exists, and they have no foreign keys,
-- triggers or sequences. Ids come from the application; result ids are UUIDv7, ordered by creation.

-- A running chat. `state` is one JSON text, read and written whole; EXTERNAL storage because
-- compressing it at every turn costs more than the rest of the write. Nothing indexed ever changes
-- and pages keep room, so that updates stay on their page (heap-only tuples).
create table chat_sessions (
  result_id uuid not null,
  id text collate "C" not null,
  bot_id text collate "C" not null,
  version_id uuid not null,
  state text not null,
  revision int not null default 0,
  claimed_until timestamptz(3),
  claimed_by text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (result_id, id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02
);

alter table chat_sessions alter column state set storage external;

-- A recorded conversation. has_started: at least one answer. Archived ones keep their row, emptied.
create table results (
  result_id uuid primary key,
  bot_id text collate "C" not null,
  version_id uuid not null,
  variables jsonb not null default '[]',
  has_started boolean not null default false,
  is_completed boolean not null default false,
  is_archived boolean not null default false,
  last_chat_session_id text collate "C",
  created_at timestamptz(3) not null default now()
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create index results_listed on results (bot_id, result_id desc)
  where has_started and not is_archived;
create index results_counted on results (bot_id, result_id desc) include (has_started, is_completed)
  where not is_archived;

-- idx orders the answers of a result, from 0; gaps are allowed.
create table answers (
  result_id uuid not null,
  idx int not null,
  block_id text collate "C" not null,
  content text not null,
  attached_file_urls jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, idx)
);

-- One row per turn that left the default path or changed variables: edge ids in the order taken,
-- set_variables = [{i, blockId, blockIndex, variableId, value}].
create table result_steps (
  result_id uuid not null,
  step int not null,
  edge_ids text[] not null default '{}',
  set_variables jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, step)
);

create table logs (
  result_id uuid not null,
  id uuid not null,
  status text not null,
  description text not null,
  details text,
  context text,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

-- Answers to requests that carried an Idempotency-Key. The session id is part of the key: two chats
-- that share a result may use the same key, and nobody reads an answer without knowing its session.
create table idempotency (
  result_id uuid not null,
  session_id text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  status int not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, session_id, key)
);

alter table idempotency alter column body set storage external;

create index idempotency_age on idempotency (created_at);
