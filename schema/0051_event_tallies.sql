-- How much room events take once they are handed out: the job limit_deliveries keeps it within a bound.
-- Compatible from: 0050

-- bytes: what the event takes with its deliveries. Both are null in rows from before, which are not counted.
alter table event_bodies add column workspace_id text collate "C";
alter table event_bodies add column bytes int;

-- Ids rise with time; bytes are added up from the index alone.
create index event_bodies_room on event_bodies (workspace_id, id) include (bytes);

-- Also finds the deliveries of one event.
create index deliveries_event on deliveries (result_id, event_id);
drop index deliveries_result;

-- What was added and not dropped for lack of room since the last count, so at least what is stored.
create table event_tallies (
  workspace_id text collate "C" primary key,
  bytes bigint not null
);
