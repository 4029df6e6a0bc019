-- Holds the place of conversations.
-- Compatible from: 0027
select 1;
