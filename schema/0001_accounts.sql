-- Who calls the management side: people, and the tokens that act for them.

create table users (
  id text collate "C" primary key,
  email text not null unique check (email = lower(email)),
  name text,
  image text,
  email_verified_at timestamptz(3),
  terms_accepted_at timestamptz(3),
  preferences jsonb not null default '{}',
  last_activity_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

-- token_hash is the SHA-256 of the whole token: the secret itself is never stored.
create table api_tokens (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users (id) on delete cascade,
  name text not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  hint text not null check (length(hint) = 4),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create index api_tokens_owner on api_tokens (owner_id, created_at desc);
