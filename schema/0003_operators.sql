-- Operators: users who decide about all workspaces and bots of the service.
-- Compatible from: 0002

-- is_operator: has the operations under /operator, and nothing more of what belongs to others.
alter table users add column is_operator boolean not null default false;

-- The first user of an installation is an operator. Where there are several, `parley operator add` names one.
do $$ begin
  if (select count(*) from users) = 1 then
    update users set is_operator = true;
  end if;
end $$;

-- closed_reason: why an operator has closed the bot, whatever is_closed says, which belongs to its authors; null: none
-- has. risk_level_by: `operator` when one has set risk_level, which no rating then changes; null: none has.
alter table bots add column closed_reason text;
alter table bots add column risk_level_by text;

-- is_by_operator: decided by an operator, whom the workspace does not see; without user_id on the command line.
alter table audit_log add column is_by_operator boolean not null default false;

create index workspaces_listed on workspaces (created_at desc, id desc);
create index users_listed on users (created_at desc, id desc);
