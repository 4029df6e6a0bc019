-- Drafts are edited element by element: what each edit changed, how to undo it, and who made it.
-- Compatible from: 0042

-- Counts the changes of a draft.
alter table bots add column revision int not null default 1;

-- revision: that of the draft after the edit. A revision without a row changed everything, or is no longer
-- kept. elements: the keys of what was touched. kind: undos and redos are edits of their own, and target
-- is the revision that they take back. change_id: chosen by the caller, so that a repeated request applies
-- nothing twice. bytes: how long edits, inverses and elements are as JSON.
create table bot_edits (
  bot_id text collate "C" not null references bots (id) on delete cascade,
  revision int not null,
  kind text not null check (kind in ('edit', 'undo', 'redo')),
  target int,
  author_id text collate "C" references users (id) on delete set null,
  change_id text collate "C",
  edits jsonb not null,
  inverses jsonb not null,
  elements jsonb not null,
  bytes int not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, revision),
  check ((kind = 'edit') = (target is null))
);

create unique index bot_edits_change on bot_edits (bot_id, change_id) where change_id is not null;
create index bot_edits_author on bot_edits (author_id, bot_id, revision);
create index bot_edits_created on bot_edits (created_at);
