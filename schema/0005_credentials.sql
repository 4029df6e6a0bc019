-- Secrets of outside services. `data` is AES-256-GCM ciphertext with its tag, bound to the row's id
-- as additional data; `key_id` says which key, so that keys can be changed.

create table credentials (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  type text not null,
  name text not null,
  data bytea not null,
  nonce bytea not null check (octet_length(nonce) = 12),
  key_id smallint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index credentials_listed on credentials (workspace_id, type);

create table user_credentials (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  type text not null,
  name text not null,
  data bytea not null,
  nonce bytea not null check (octet_length(nonce) = 12),
  key_id smallint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index user_credentials_listed on user_credentials (user_id, type);
