-- What runs: immutable versions of a bot, and which of them is published now.

-- payload = {events, groups, edges, variables, theme, settings}; content_hash is its SHA-256, so
-- that publishing an unchanged draft makes no new version. `number` counts from 1 within a bot.
create table bot_versions (
  id uuid primary key,
  bot_id text collate "C" not null references bots (id) on delete cascade,
  number int not null check (number > 0),
  author_id text collate "C" references users (id) on delete set null,
  schema_version text not null,
  content_hash bytea not null check (octet_length(content_hash) = 32),
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  unique (bot_id, number),
  unique (bot_id, content_hash)
);

create index bot_versions_author on bot_versions (author_id);

create table published_bots (
  id text collate "C" primary key,
  bot_id text collate "C" not null unique references bots (id) on delete cascade,
  version_id uuid not null references bot_versions (id),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index published_bots_version on published_bots (version_id);
