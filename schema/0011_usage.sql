-- Chats counted per workspace and month (UTC) by a job, so that no chat ever counts. `watermark` is
-- the last result id that was counted.

create table workspace_usage (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  period_start date not null,
  chats int not null default 0,
  watermark uuid,
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, period_start)
);
