-- Variables of workspaces, which texts of their bots name; secrets are encrypted.
-- Compatible from: 0007

-- value: null = a secret, which is in data, encrypted with the key key_id. Without either its value is lost.
create table workspace_variables (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  name text collate "C" not null,
  value text,
  data bytea,
  nonce bytea,
  key_id smallint,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, name),
  constraint workspace_variables_sealed
    check (num_nonnulls(data, nonce, key_id) = case when value is null and data is not null then 3 else 0 end)
);
