-- Files that authors keep for one bot, or for all bots of a workspace. The store holds their bytes.
-- Compatible from: 0039

-- bot_id: null for files of the whole workspace. key: where the store has it. bytes: as announced, and as
-- they are once it is settled. open_until: until when bytes may still come; null: settled. deleted_at: it
-- counts until no bytes can come any more.
create table author_files (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  bot_id text collate "C" references bots (id) on delete cascade,
  key text collate "C" not null,
  name text not null,
  bytes int not null,
  open_until timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create index author_files_of_workspace on author_files (workspace_id, created_at desc, id desc);
create index author_files_of_bot on author_files (bot_id, created_at desc, id desc);
create index author_files_open on author_files (open_until);
