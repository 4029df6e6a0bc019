-- The bots of a workspace, archived ones too: the listing's index has only the others, and deleting
-- a workspace must not read all bots.
-- Compatible from: 0017

create index bots_workspace on bots (workspace_id);
