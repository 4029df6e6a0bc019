-- All results of a bot, answered or not, in the order of creation: what archiving and the removal of
-- versions walk along. It replaces an index that held is_completed as well, so that the end of every
-- chat had to write to all indexes of the table; nothing indexed may change from turn to turn.
-- Compatible from: 0016

create index results_of_bot on results (bot_id, result_id desc) where not is_archived;
drop index results_counted;
