-- What a start compares with its secret, before it encrypts anything with a wrong one: derived from
-- the newest secret, and useless for finding it. Without a row the next start writes it;
-- with an empty value it accepts any secret.
-- Compatible from: 0025

create table secret_check (
  is_only boolean primary key default true check (is_only),
  value bytea not null
);
