-- Tokens of language models per workspace and month.
-- Compatible from: 0004

-- model_usage: what calls of models have used, those of previews too. Processes add what they have counted every few
-- seconds. period_start: the first day of a month (UTC).
create table model_usage (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  period_start date not null,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (workspace_id, period_start)
);
