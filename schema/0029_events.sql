-- Holds the place of events.
-- Compatible from: 0028
select 1;
