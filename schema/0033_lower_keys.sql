-- A person is searched for by what may be the key of a conversation, in upper or lower case: without
-- these, a search reads all keys of a bot at once.
-- Compatible from: 0032

create index keyed_results_lower_key on keyed_results (bot_id, lower(key));
create index conversations_lower_key on conversations (bot_id, lower(key));
