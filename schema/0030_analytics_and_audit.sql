-- Numbers of bots that are counted ahead, and who changed what in a workspace.
-- Compatible from: 0027

-- Days (UTC) whose results were counted, by their ids. A day that is missing is counted when it is
-- asked for. Whoever deletes results deletes the row of their day, and a count that was under way
-- then no longer finds its own; counted_at is null until it ends.
create table analytics_days (
  day date primary key,
  count_id uuid not null,
  counted_at timestamptz(3)
);

-- What the results of a quarter of an hour hold, in quarters since 1970: time zones differ by as much.
create table analytics_counts (
  bot_id text collate "C" not null,
  quarter int not null,
  version_id uuid not null,
  counts jsonb not null,
  primary key (bot_id, quarter, version_id)
);

create index analytics_counts_quarter on analytics_counts (quarter);

-- Changes by members: who did what to which thing, never with what. Ids are UUIDv7, ordered by time.
-- No foreign keys: what is said of things and people that are gone stays for its 400 days.
create table audit_log (
  id uuid primary key,
  workspace_id text collate "C" not null,
  user_id text collate "C",
  token_id text collate "C",
  operation text not null,
  target jsonb not null,
  counts jsonb,
  created_at timestamptz(3) not null default now()
);

create index audit_log_of_workspace on audit_log (workspace_id, id desc);
