-- Lists of bots in alphabetical order, by as much of a name as lists show.
-- Compatible from: 0043

create index bots_named on bots (workspace_id, lower(left(name, 100)), id) where not is_archived;
