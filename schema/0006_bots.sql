-- Drafts of flows and who else may open them. One jsonb column per part, so that a change of one
-- part does not rewrite the others.

create table bots (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  folder_id text collate "C" references folders (id) on delete set null,
  version text not null,
  name text not null,
  icon text,
  events jsonb,
  groups jsonb not null default '[]',
  edges jsonb not null default '[]',
  variables jsonb not null default '[]',
  theme jsonb not null default '{}',
  settings jsonb not null default '{}',
  selected_theme_template_id text collate "C",
  public_id text collate "C" unique,
  custom_domain text collate "C" unique,
  results_table_preferences jsonb,
  is_archived boolean not null default false,
  is_closed boolean not null default false,
  whatsapp_credentials_id text collate "C",
  risk_level int,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index bots_listed on bots (workspace_id, created_at desc) where not is_archived;
create index bots_folder on bots (folder_id);
create index bots_archived on bots (archived_at) where is_archived;

create table bot_collaborators (
  bot_id text collate "C" not null references bots (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  type text not null check (type in ('READ', 'WRITE', 'FULL_ACCESS')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, user_id)
);

create index bot_collaborators_user on bot_collaborators (user_id);
