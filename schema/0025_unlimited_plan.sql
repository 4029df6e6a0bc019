-- A service that its operator hosts must not close itself: the default plan is UNLIMITED. Workspaces
-- that have nothing but the former default get it, too, and open if a count had closed them. Where
-- a workspace has a customer number, plans are sold, and FREE may be what was agreed.
-- Compatible from: 0024

alter table workspaces alter column plan set default 'UNLIMITED';

create temporary table lifted on commit drop as
select id from workspaces
where plan = 'FREE' and custom_chats_limit is null and custom_seats_limit is null
  and chats_hard_limit is null and not is_past_due
  and not exists (select from workspaces where stripe_id is not null);

update workspaces w set
  plan = 'UNLIMITED',
  is_quarantined = w.is_quarantined and not exists (
    select from workspace_usage u where u.workspace_id = w.id and u.quarantined_at is not null
  )
where id in (select id from lifted);

update workspace_usage set quarantined_at = null
where quarantined_at is not null and workspace_id in (select id from lifted);
