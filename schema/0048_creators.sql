-- Who created a workspace: its chats count for that user where users take turns, even after they have left.
-- Not a foreign key, because it only has to stay the same. Workspaces of before count for their first ADMIN.
-- Compatible from: 0047

alter table workspaces add column creator_id text collate "C";

update workspaces set creator_id = (
  select m.user_id from workspace_members m
  where m.workspace_id = workspaces.id and m.role = 'ADMIN'
  order by m.created_at, m.user_id limit 1
);
