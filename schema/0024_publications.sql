-- The history of what was live of each bot, and versions that were kept without being published.
-- Versions in the history stay: the purge of the release before this one is refused to delete them.
-- Compatible from: 0023

-- How a version came about: it was published, somebody kept the draft, or a restore replaced it.
alter table bot_versions add column note text;
alter table bot_versions add column origin text not null default 'publish'
  check (origin in ('publish', 'keep', 'restore'));

create index bot_versions_replaced on bot_versions (id) where origin = 'restore';

-- Only added to; `at` rises within a bot. No foreign key to users: this table is to be on every
-- server, theirs is not. An author who is gone is no longer shown.
create table publications (
  bot_id text collate "C" not null references bots (id) on delete cascade,
  at timestamptz(3) not null,
  kind text not null check (kind in ('publish', 'rollback', 'unpublish')),
  version_id uuid references bot_versions (id),
  author_id text collate "C",
  note text,
  primary key (bot_id, at),
  check ((kind = 'unpublish') = (version_id is null))
);

create index publications_version on publications (version_id, at);

-- What is known of the time before: versions were made by publishing them. Times within a bot rise
-- with the numbers, also where two publications waited for each other.
insert into publications (bot_id, at, kind, version_id, author_id)
select bot_id,
  max(created_at - number * interval '1 millisecond') over (partition by bot_id order by number)
    + number * interval '1 millisecond',
  'publish', id, author_id
from bot_versions;

-- And what is live now was published last, by whomever.
insert into publications (bot_id, at, kind, version_id)
select live.bot_id, greatest(live.updated_at, latest.at + interval '1 millisecond'), 'publish',
  live.version_id
from published_bots live
join lateral (
  select at, version_id from publications where bot_id = live.bot_id order by at desc limit 1
) latest on true
where latest.version_id <> live.version_id or latest.at < live.updated_at;
