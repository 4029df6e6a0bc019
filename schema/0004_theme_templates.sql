-- Themes that a workspace keeps for its bots to start from.

create table theme_templates (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  name text not null,
  theme jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index theme_templates_listed on theme_templates (workspace_id, created_at desc);
