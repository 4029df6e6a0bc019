-- People who are invited to work on one bot and have not answered yet: whoever accepts becomes one of its
-- collaborators.
-- Compatible from: 0041

create table bot_invitations (
  id text collate "C" primary key,
  bot_id text collate "C" not null references bots (id) on delete cascade,
  email text not null check (email = lower(email)),
  type text not null check (type in ('READ', 'WRITE')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (bot_id, email)
);

create index bot_invitations_email on bot_invitations (email);
