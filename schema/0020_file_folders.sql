-- The key that names the folders of files by bot and result. It is no secret of the configuration,
-- because it must never change: what is kept is found by it when it is removed. Whoever reads this
-- table reads the ids as well, which the names keep from everybody else.
-- Compatible from: 0019

create table file_folder_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null
);

-- 244 random bits.
insert into file_folder_key (key)
values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
