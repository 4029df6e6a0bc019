-- Spreads the tables over the nodes of a Citus cluster: README.md beside this file says when and how.
-- Run it at the coordinator once the migrations are applied and the nodes are known. Each statement
-- moves one table and can be waited for by itself; chats and authors may go on meanwhile.

-- What authors change and chats read, on every node; parents first, which is also the order in which
-- transactions lock them.
select create_reference_table('users');
select create_reference_table('workspaces');
select create_reference_table('folders');
select create_reference_table('bots');
select create_reference_table('bot_versions');
select create_reference_table('published_bots');

-- What belongs to a result, all of it on one node.
select create_distributed_table('chat_sessions', 'result_id', shard_count => 32, colocate_with => 'none');
select create_distributed_table('results', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('answers', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('result_steps', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('logs', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('idempotency', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('webhook_calls', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('ended_chats', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('kept_messages', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('keyed_results', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('session_events', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('timers', 'result_id', colocate_with => 'chat_sessions');
select create_distributed_table('outbox', 'result_id', colocate_with => 'chat_sessions');
-- A single server may lose these copies in a crash. Here they are logged, or no shard could be moved.
alter table result_texts set logged;
select create_distributed_table('result_texts', 'result_id', colocate_with => 'chat_sessions');

-- A turn is written by the node that has its result.
select create_distributed_function('save_turn(uuid, text, int, text, jsonb, text, bytea, text)',
  'p_result_id', colocate_with => 'chat_sessions');

-- What chats find by a key of its own.
select create_distributed_table('conversations', 'key_id', shard_count => 32, colocate_with => 'none');
select create_distributed_table('start_keys', 'key_id', shard_count => 32, colocate_with => 'none');
select create_distributed_table('upload_tallies', 'scope', shard_count => 32, colocate_with => 'none');
-- A single server may forget limits in a crash. Here they are logged, or no shard could be moved.
alter table rate_limits set logged;
select create_distributed_table('rate_limits', 'key', shard_count => 32, colocate_with => 'none');

-- The rest stays at the coordinator, where every node reaches it. Previews too: they are few, bounded,
-- and found by their owners.
select citus_add_local_table_to_metadata('api_tokens');
select citus_add_local_table_to_metadata('author_files');
select citus_add_local_table_to_metadata('user_sessions');
select citus_add_local_table_to_metadata('sign_in_links');
select citus_add_local_table_to_metadata('sign_in_codes');
select citus_add_local_table_to_metadata('bot_collaborators');
select citus_add_local_table_to_metadata('bot_invitations');
select citus_add_local_table_to_metadata('bot_edits');
select citus_add_local_table_to_metadata('credentials');
select citus_add_local_table_to_metadata('domain_proofs');
select citus_add_local_table_to_metadata('publications');
select citus_add_local_table_to_metadata('theme_templates');
select citus_add_local_table_to_metadata('user_credentials');
select citus_add_local_table_to_metadata('workspace_invitations');
select citus_add_local_table_to_metadata('workspace_members');
select citus_add_local_table_to_metadata('workspace_usage');
select citus_add_local_table_to_metadata('model_usage');
select citus_add_local_table_to_metadata('workspace_variables');
select citus_add_local_table_to_metadata('webhook_endpoints');
select citus_add_local_table_to_metadata('event_bodies');
select citus_add_local_table_to_metadata('event_tallies');
select citus_add_local_table_to_metadata('deliveries');
select citus_add_local_table_to_metadata('usage_hours');
select citus_add_local_table_to_metadata('analytics_days');
select citus_add_local_table_to_metadata('analytics_counts');
select citus_add_local_table_to_metadata('analytics_voids');
select citus_add_local_table_to_metadata('result_texts_until');
select citus_add_local_table_to_metadata('audit_log');
select citus_add_local_table_to_metadata('stripe_events');
select citus_add_local_table_to_metadata('stripe_subscriptions');
select citus_add_local_table_to_metadata('preview_sessions', cascade_via_foreign_keys => true);
select citus_add_local_table_to_metadata('preview_responses', cascade_via_foreign_keys => true);
select citus_add_local_table_to_metadata('preview_states', cascade_via_foreign_keys => true);
select citus_add_local_table_to_metadata('preview_classes');
select citus_add_local_table_to_metadata('preview_flows');
select citus_add_local_table_to_metadata('preview_starts');
select citus_add_local_table_to_metadata('jobs');
select citus_add_local_table_to_metadata('naming_key');
select citus_add_local_table_to_metadata('secret_check');
select citus_add_local_table_to_metadata('parley_migrations');
