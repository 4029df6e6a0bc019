-- Directory of keyed starts: the Idempotency-Key of a start comes before any result id exists.
-- key_id = the first 16 bytes of SHA-256 over bot id, caller's scope and key.

create table start_keys (
  key_id uuid primary key,
  result_id uuid not null,
  session_id text collate "C" not null,
  body_hash bytea not null,
  created_at timestamptz(3) not null default now()
);

create index start_keys_age on start_keys (created_at);
