-- Custom domains are unique in one form: host in lower case without the dot of the root, path without empty parts.
-- Compatible from: 0046

alter table bots drop constraint bots_custom_domain_key;

-- Of bots that have the same domain in several forms, the oldest keeps it; the others lose theirs.
with plain as (
  select id, lower(rtrim(split_part(custom_domain, '/', 1), '.'))
    || coalesce(rtrim(regexp_replace(substring(custom_domain from '/.*'), '/+', '/', 'g'), '/'), '') as domain,
    created_at
  from bots where custom_domain is not null
), ranked as (
  select id, domain, row_number() over (partition by domain order by created_at, id) as place from plain
)
update bots set custom_domain = case when place = 1 then domain end
from ranked where ranked.id = bots.id
  and (place > 1 or custom_domain is distinct from domain);

-- Processes of former releases may still write other forms.
create unique index bots_custom_domain_key on bots ((lower(rtrim(split_part(custom_domain, '/', 1), '.'))
  || coalesce(rtrim(regexp_replace(substring(custom_domain from '/.*'), '/+', '/', 'g'), '/'), '')));
