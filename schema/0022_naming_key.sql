-- The key that makes names from which nobody can tell the ids behind them: folders of files, ids of
-- previews that callers name. It is no secret of the configuration, because it must never change:
-- files are found by it when they are removed. Whoever reads this table reads the ids as well.
-- Compatible from: 0019

create table naming_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null
);

-- 244 random bits.
insert into naming_key (key)
values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
