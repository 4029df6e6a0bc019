-- Numbers are counted ahead in one row per bot, version and day, and a deletion makes one day of one bot void.
-- Compatible from: 0035

-- The counts of a bot's day that do not hold: its results were deleted, or are being counted. Such a day
-- is counted when it is asked for. By count_id a count that is under way notices a deletion.
create table analytics_voids (
  bot_id text collate "C" not null,
  day date not null,
  count_id uuid not null,
  primary key (bot_id, day)
);

comment on column analytics_counts.quarter is
  'The first quarter of an hour of the day, since 1970; in rows of former releases, the one that they count';

-- What former releases counted holds, in up to 96 rows for each of today's: the job counts it anew.
update analytics_days set counted_at = least(counted_at, (day + 1)::timestamptz)
where counted_at is not null;
