-- What a token is limited to: scopes, and a workspace or bots; null: nothing. Ids may be those of things
-- that are gone, since a token for nothing must not become one for everything.
-- Compatible from: 0038

alter table api_tokens
  add column scopes text[],
  add column workspace_id text collate "C",
  add column bot_ids text[];
