-- Ratings of bots at publish.
-- Compatible from: 0006

-- risk_found: words and domains of the operator's list that the last rating found in the flow; null: not rated.
alter table bots add column risk_found text[];

create index bots_at_risk on bots (workspace_id) where risk_level > 80;
