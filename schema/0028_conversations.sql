-- Conversations under the callers' own keys; how chats ended; messages kept while a person has
-- taken over; timers of silence; events for clients that listen to a session.
-- Compatible from: 0027
-- Formerly: b2718a2a176a18c450832222a859634307aec12df6cc37845fc3e3d0c548ae48

-- Which chat a key stands for now. key_id = the first 16 bytes of SHA-256 over bot id and key.
create table conversations (
  key_id uuid primary key,
  bot_id text collate "C" not null,
  key text collate "C" not null,
  result_id uuid not null,
  session_id text collate "C" not null,
  created_at timestamptz(3) not null default now()
);

create index conversations_listed on conversations (bot_id, result_id desc);
create index conversations_result on conversations (result_id);

-- How chats ended, where their results do not say so: kept for 30 days.
create table ended_chats (
  result_id uuid not null,
  session_id text collate "C" not null,
  state text not null check (state in ('ended', 'expired')),
  ended_at timestamptz(3) not null default now(),
  primary key (result_id, session_id)
);

create index ended_chats_age on ended_chats (ended_at);

-- Messages of people in paused chats, in the order of their ids.
create table kept_messages (
  result_id uuid not null,
  id uuid not null,
  session_id text collate "C" not null,
  message jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

-- Events for clients that listen to a session, in the order of the ids; kept for a day.
create table session_events (
  result_id uuid not null,
  id uuid not null,
  session_id text collate "C" not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

create index session_events_age on session_events (created_at);

-- When to check for silence: one row per open chat of a bot that asks for it.
create table timers (
  result_id uuid not null,
  session_id text collate "C" not null,
  due_at timestamptz(3) not null,
  primary key (result_id, session_id)
);

create index timers_due on timers (due_at);
