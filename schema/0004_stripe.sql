-- Subscriptions at Stripe, which decide about the plan of workspaces.
-- Compatible from: 0003

-- The events that were applied, each once. A job deletes them when they can no longer come again.
create table stripe_events (
  id text collate "C" primary key,
  applied_at timestamptz(3) not null default now()
);

create index stripe_events_age on stripe_events (applied_at);

-- The last known state of each subscription. event_at: when Stripe made the event that it is from, so that an older one
-- that comes later is not applied. began_at: of several subscriptions of a workspace, the newest that is not over counts.
create table stripe_subscriptions (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  status text not null,
  plan text,
  began_at timestamptz(3) not null,
  event_at timestamptz(3) not null
);

create index stripe_subscriptions_of_workspace on stripe_subscriptions (workspace_id);
