-- How people sign in with a browser: their sessions, and the links and codes that lead to one. Of every
-- secret only a hash is stored. Links and codes work for minutes, so a crash may lose them.
-- Compatible from: 0040

-- method: `link`, `mail` or `openId`.
create table user_sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  method text not null,
  user_agent text,
  last_used_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);

create index user_sessions_of_user on user_sessions (user_id, created_at desc);
create index user_sessions_age on user_sessions (expires_at);

create unlogged table sign_in_links (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  user_id text collate "C" not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);

create index sign_in_links_of_user on sign_in_links (user_id);
create index sign_in_links_age on sign_in_links (expires_at);

-- One code per address. `sent` counts the codes since `since`, so that nobody can ask for more until one
-- is guessed, whatever limits are switched off.
create unlogged table sign_in_codes (
  email text primary key,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  attempts int not null default 0,
  expires_at timestamptz(3) not null,
  sent int not null default 1,
  since timestamptz(3) not null
);

create index sign_in_codes_age on sign_in_codes (since);
