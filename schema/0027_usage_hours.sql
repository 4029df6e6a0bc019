-- The chats of each hour that may still grow, by workspace: an hour is counted again ever more
-- seldom, and goes when none of its chats can get a first answer any more (count_usage).
-- Compatible from: 0026
create table usage_hours (
  hour timestamptz(3) primary key,
  from_id uuid not null,
  chats jsonb not null,
  counted_at timestamptz(3) not null
);
