-- Workspaces group bots; members and invitations say who may use them.

create table workspaces (
  id text collate "C" primary key,
  name text not null,
  icon text,
  plan text not null default 'FREE' check (plan in
    ('FREE', 'STARTER', 'PRO', 'LIFETIME', 'OFFERED', 'CUSTOM', 'UNLIMITED', 'ENTERPRISE')),
  stripe_id text unique,
  settings jsonb,
  custom_chats_limit int,
  custom_seats_limit int,
  chats_hard_limit int,
  is_quarantined boolean not null default false,
  is_suspended boolean not null default false,
  is_past_due boolean not null default false,
  is_verified boolean,
  last_activity_at timestamptz(3),
  inactive_first_email_sent_at timestamptz(3),
  inactive_second_email_sent_at timestamptz(3),
  quota_first_email_sent_at timestamptz(3),
  quota_second_email_sent_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table workspace_members (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  role text not null check (role in ('ADMIN', 'MEMBER', 'GUEST')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);

create index workspace_members_user on workspace_members (user_id);

create table workspace_invitations (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('ADMIN', 'MEMBER', 'GUEST')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (workspace_id, email)
);

create index workspace_invitations_email on workspace_invitations (email);
