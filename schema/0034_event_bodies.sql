-- What the receivers of an event get, once for all of them: a copy in every delivery let one message
-- grow the database by the number of endpoints.
-- Compatible from: 0029

-- A delivery without a body sends that of its event; those from before have their own. Code from before
-- takes one without for a failed attempt, which it repeats later.
create table event_bodies (
  id uuid primary key,
  result_id uuid not null,
  body text not null,
  created_at timestamptz(3) not null default now()
);

create index event_bodies_result on event_bodies (result_id);
create index event_bodies_age on event_bodies (created_at);

alter table deliveries alter column body drop not null;
