-- Bots in the bin, which are archived but can be restored for 30 days: with their addresses, what of them
-- is live, and their results.
-- Compatible from: 0044

alter table bots add column is_in_bin boolean not null default false;

create index bots_in_bin on bots (workspace_id) where is_in_bin;
