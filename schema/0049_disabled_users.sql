-- When an operator disabled an account, which nothing signs in to since; null: it is not disabled.
-- Compatible from: 0047

alter table users add column disabled_at timestamptz(3);
