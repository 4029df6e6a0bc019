-- Hosts that a credential may be sent to besides those of its provider: lower case, with or without a
-- port. Code of before sends credentials wherever a flow says.
-- Compatible from: 0019

alter table credentials add column allowed_hosts text[] not null default '{}'
  check (cardinality(allowed_hosts) <= 20);
alter table user_credentials add column allowed_hosts text[] not null default '{}'
  check (cardinality(allowed_hosts) <= 20);
