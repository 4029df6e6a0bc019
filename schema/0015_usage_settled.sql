-- What the counting of chats remembers. A chat counts when it has its first answer, which may be
-- days after its result was made: `settled` counts the results below the watermark for good, `chats`
-- is that plus those above it, which are counted anew each time. quarantined_at: when this period's
-- chats closed the workspace to new ones; a workspace that was closed by hand has none.

alter table workspace_usage add column settled int not null default 0;
alter table workspace_usage add column quarantined_at timestamptz(3);
