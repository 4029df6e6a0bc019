-- Folders order the bots of a workspace. Deleting one moves its content to the root.

create table folders (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  parent_folder_id text collate "C" references folders (id) on delete set null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index folders_listed on folders (workspace_id, parent_folder_id, created_at desc);
create index folders_parent on folders (parent_folder_id);
