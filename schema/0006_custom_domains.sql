-- Domains of bots are served once the DNS proves that they belong to the workspace.
-- Compatible from: 0005

-- Hosts that workspaces have proven by a TXT record. proven_at: since when; of several workspaces, the one that has
-- proven a host last has it. lost_at: since when the record is missing; null: it was there at the last look.
create table domain_proofs (
  host text collate "C" not null,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  proven_at timestamptz(3) not null,
  checked_at timestamptz(3) not null,
  lost_at timestamptz(3),
  primary key (host, workspace_id)
);

create index domain_proofs_of_workspace on domain_proofs (workspace_id);
create index domain_proofs_checked on domain_proofs (checked_at);

-- Whoever enters a domain first must not keep its owner from it: only within a workspace is it unique.
drop index bots_custom_domain_key;
create unique index bots_custom_domain_key on bots (workspace_id,
  (lower(rtrim(split_part(custom_domain, '/', 1), '.'))
    || coalesce(rtrim(regexp_replace(substring(custom_domain from '/.*'), '/+', '/', 'g'), '/'), '')));

create index bots_custom_host on bots ((lower(rtrim(split_part(custom_domain, '/', 1), '.'))))
where custom_domain is not null;
