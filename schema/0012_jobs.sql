-- Recurring jobs, one row each: whichever process claims a due row runs it.

create table jobs (
  name text collate "C" primary key,
  run_at timestamptz(3) not null default now(),
  claimed_until timestamptz(3),
  claimed_by text,
  last_started_at timestamptz(3),
  last_finished_at timestamptz(3),
  last_error text
);
