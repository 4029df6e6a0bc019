-- Holds the place of numbers.
-- Compatible from: 0029
select 1;
