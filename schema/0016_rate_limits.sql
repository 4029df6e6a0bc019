-- Rate limits that several processes share. UNLOGGED, because a crash may forget them. The library
-- that writes it (rate-limiter-flexible) names no columns: their order is part of the contract.
-- `expire` is in milliseconds since 1970.

create unlogged table rate_limits (
  key text collate "C" primary key,
  points int not null default 0,
  expire bigint
);

create index rate_limits_age on rate_limits (expire);
