-- Lists of operators: the bots of the whole service, and what operators have decided.
-- Compatible from: 0008

create index bots_by_age on bots (created_at desc, id desc) where not is_archived;

create index bots_closed on bots (created_at desc, id desc) where closed_reason is not null;

create index audit_log_by_operator on audit_log (id desc) where is_by_operator;
