-- Calls of other systems to chats that wait for them, kept for a day at most. Few and short-lived;
-- spread like the hot tables. A preview has no result: an id made of its session id stands in.

-- body is the JSON object that was sent. delivered_step is the step of the session at which the call
-- was given to its client: it belongs to that step alone; null: it waits for its turn.
create table webhook_calls (
  result_id uuid not null,
  id uuid not null,
  session_id text collate "C" not null,
  block_id text collate "C" not null,
  body text not null,
  delivered_step int,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

create index webhook_calls_age on webhook_calls (created_at);

-- The previews of a user, to find the one that waits. The owner of a session never changes.
create index preview_sessions_owned on preview_sessions (owner_user_id)
  where owner_user_id is not null;
