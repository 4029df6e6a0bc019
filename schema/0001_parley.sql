-- The schema of Parley 0.2.0: people, bots, chats, results, events and jobs.
--
-- Ids and bearer secrets are `text collate "C"`; times are `timestamptz(3)`, the precision of a JavaScript
-- date. Ids of type uuid are UUIDv7, so that they are ordered by the time of their creation.

-- People ----------------------------------------------------------------------------------------------------

-- disabled_at: when an operator disabled the account, so that nobody can sign in to it; null: it is enabled.
create table users (
  id text collate "C" primary key,
  email text not null unique check (email = lower(email)),
  name text,
  image text,
  email_verified_at timestamptz(3),
  terms_accepted_at timestamptz(3),
  preferences jsonb not null default '{}',
  last_activity_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  disabled_at timestamptz(3)
);

-- Tokens that act for people. token_hash: SHA-256 of the whole token, which is itself stored nowhere; hint: its
-- last characters. scopes, workspace_id and bot_ids limit a token; null: no limit. They may name things that are
-- gone: a token for nothing must not become a token for everything.
create table api_tokens (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users (id) on delete cascade,
  name text not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  hint text not null check (length(hint) = 4),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  scopes text[],
  workspace_id text collate "C",
  bot_ids text[]
);

create index api_tokens_owner on api_tokens (owner_id, created_at desc);

-- Browsers that are signed in. method: `link`, `mail` or `openId`.
create table user_sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  method text not null,
  user_agent text,
  last_used_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);

create index user_sessions_of_user on user_sessions (user_id, created_at desc);
create index user_sessions_age on user_sessions (expires_at);

-- Links and codes that lead to a session. They work for minutes, so a crash may lose them.
create unlogged table sign_in_links (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  user_id text collate "C" not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);

create index sign_in_links_of_user on sign_in_links (user_id);
create index sign_in_links_age on sign_in_links (expires_at);

-- One code per address. sent: how many codes since `since`, which bounds guesses even where rate limits are off.
create unlogged table sign_in_codes (
  email text primary key,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  attempts int not null default 0,
  expires_at timestamptz(3) not null,
  sent int not null default 1,
  since timestamptz(3) not null
);

create index sign_in_codes_age on sign_in_codes (since);

-- Workspaces ------------------------------------------------------------------------------------------------

-- Workspaces group bots. creator_id: the user for whom chats of the workspace count where users take turns, even
-- after they have left; not a foreign key, because it only has to stay the same.
create table workspaces (
  id text collate "C" primary key,
  name text not null,
  icon text,
  plan text not null default 'UNLIMITED' check (plan in
    ('FREE', 'STARTER', 'PRO', 'LIFETIME', 'OFFERED', 'CUSTOM', 'UNLIMITED', 'ENTERPRISE')),
  stripe_id text unique,
  settings jsonb,
  custom_chats_limit int,
  custom_seats_limit int,
  chats_hard_limit int,
  is_quarantined boolean not null default false,
  is_suspended boolean not null default false,
  is_past_due boolean not null default false,
  is_verified boolean,
  last_activity_at timestamptz(3),
  inactive_first_email_sent_at timestamptz(3),
  inactive_second_email_sent_at timestamptz(3),
  quota_first_email_sent_at timestamptz(3),
  quota_second_email_sent_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  creator_id text collate "C"
);

create table workspace_members (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  role text not null check (role in ('ADMIN', 'MEMBER', 'GUEST')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);

create index workspace_members_user on workspace_members (user_id);

create table workspace_invitations (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('ADMIN', 'MEMBER', 'GUEST')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (workspace_id, email)
);

create index workspace_invitations_email on workspace_invitations (email);

-- Changes by members: who did what to which thing, without its content. No foreign keys: entries about things
-- and people that are gone stay for their 400 days.
create table audit_log (
  id uuid primary key,
  workspace_id text collate "C" not null,
  user_id text collate "C",
  token_id text collate "C",
  operation text not null,
  target jsonb not null,
  counts jsonb,
  created_at timestamptz(3) not null default now()
);

create index audit_log_of_workspace on audit_log (workspace_id, id desc);

-- Secrets of outside services. data: AES-256-GCM ciphertext with its tag, bound to the row's id as additional
-- data; key_id: which key, so that keys can be changed. allowed_hosts: where a credential may be sent besides the
-- hosts of its provider, in lower case, with or without a port.
create table credentials (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  type text not null,
  name text not null,
  data bytea not null,
  nonce bytea not null check (octet_length(nonce) = 12),
  key_id smallint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  allowed_hosts text[] not null default '{}' check (cardinality(allowed_hosts) <= 20)
);

create index credentials_listed on credentials (workspace_id, type);

create table user_credentials (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  type text not null,
  name text not null,
  data bytea not null,
  nonce bytea not null check (octet_length(nonce) = 12),
  key_id smallint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  allowed_hosts text[] not null default '{}' check (cardinality(allowed_hosts) <= 20)
);

create index user_credentials_listed on user_credentials (user_id, type);

-- Derived from the newest secret, and useless for finding it: a start compares its secret with this before it
-- encrypts anything with a wrong one. Without a row the next start writes it; an empty value accepts any secret.
create table secret_check (
  is_only boolean primary key default true check (is_only),
  value bytea not null
);

-- The key of names that must not reveal the ids behind them: folders of files, ids of previews that callers name.
-- Not a secret of the configuration, because it must never change: files are found by it when they are removed.
create table naming_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null
);

-- 244 random bits.
insert into naming_key (key)
values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- Bots ------------------------------------------------------------------------------------------------------

-- Folders order the bots of a workspace. Deleting one moves its content to the root.
create table folders (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  parent_folder_id text collate "C" references folders (id) on delete set null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index folders_listed on folders (workspace_id, parent_folder_id, created_at desc);
create index folders_parent on folders (parent_folder_id);

-- Themes that a workspace keeps for its bots to start from.
create table theme_templates (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  name text not null,
  theme jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index theme_templates_listed on theme_templates (workspace_id, created_at desc);

-- Drafts of flows: one jsonb column per part, so that changing one part does not rewrite the others.
-- revision: counts the changes of the draft. is_in_bin: archived, but it can be restored for 30 days with its
-- addresses, its published version and its results.
create table bots (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  folder_id text collate "C" references folders (id) on delete set null,
  version text not null,
  name text not null,
  icon text,
  events jsonb,
  groups jsonb not null default '[]',
  edges jsonb not null default '[]',
  variables jsonb not null default '[]',
  theme jsonb not null default '{}',
  settings jsonb not null default '{}',
  selected_theme_template_id text collate "C",
  public_id text collate "C" unique,
  custom_domain text collate "C",
  results_table_preferences jsonb,
  is_archived boolean not null default false,
  is_closed boolean not null default false,
  whatsapp_credentials_id text collate "C",
  risk_level int,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision int not null default 1,
  is_in_bin boolean not null default false
);

create index bots_listed on bots (workspace_id, created_at desc) where not is_archived;
-- Lists in alphabetical order, by as much of a name as lists show.
create index bots_named on bots (workspace_id, lower(left(name, 100)), id) where not is_archived;
create index bots_in_bin on bots (workspace_id) where is_in_bin;
-- Archived ones too: deleting a workspace must not read all bots.
create index bots_workspace on bots (workspace_id);
create index bots_folder on bots (folder_id);
create index bots_archived on bots (archived_at) where is_archived;
-- Domains are unique in one form: host in lower case without the dot of the root, path without empty parts.
create unique index bots_custom_domain_key on bots ((lower(rtrim(split_part(custom_domain, '/', 1), '.'))
  || coalesce(rtrim(regexp_replace(substring(custom_domain from '/.*'), '/+', '/', 'g'), '/'), '')));

-- Who else may open a bot.
create table bot_collaborators (
  bot_id text collate "C" not null references bots (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  type text not null check (type in ('READ', 'WRITE', 'FULL_ACCESS')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (bot_id, user_id)
);

create index bot_collaborators_user on bot_collaborators (user_id);

-- People who are invited to work on one bot and have not answered yet.
create table bot_invitations (
  id text collate "C" primary key,
  bot_id text collate "C" not null references bots (id) on delete cascade,
  email text not null check (email = lower(email)),
  type text not null check (type in ('READ', 'WRITE')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (bot_id, email)
);

create index bot_invitations_email on bot_invitations (email);

-- What each edit of a draft changed, how to undo it, and who made it. revision: that of the draft after the edit;
-- a revision without a row changed everything, or is no longer kept. elements: keys of what was touched. kind:
-- undos and redos are edits of their own, and target is the revision that they take back. change_id: chosen by
-- the caller, so that a repeated request applies nothing twice. bytes: length of edits, inverses and elements as
-- JSON.
create table bot_edits (
  bot_id text collate "C" not null references bots (id) on delete cascade,
  revision int not null,
  kind text not null check (kind in ('edit', 'undo', 'redo')),
  target int,
  author_id text collate "C" references users (id) on delete set null,
  change_id text collate "C",
  edits jsonb not null,
  inverses jsonb not null,
  elements jsonb not null,
  bytes int not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, revision),
  check ((kind = 'edit') = (target is null))
);

create unique index bot_edits_change on bot_edits (bot_id, change_id) where change_id is not null;
create index bot_edits_author on bot_edits (author_id, bot_id, revision);
create index bot_edits_created on bot_edits (created_at);

-- Files that authors keep for one bot, or for all bots of a workspace (bot_id is null). key: where the store has
-- the bytes. bytes: as announced, and as they are once the file is settled. open_until: until when bytes may still
-- come; null: it is settled. deleted_at: it counts until no bytes can come any more.
create table author_files (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  bot_id text collate "C" references bots (id) on delete cascade,
  key text collate "C" not null,
  name text not null,
  bytes int not null,
  open_until timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create index author_files_of_workspace on author_files (workspace_id, created_at desc, id desc);
create index author_files_of_bot on author_files (bot_id, created_at desc, id desc);
create index author_files_open on author_files (open_until);

-- Publishing ------------------------------------------------------------------------------------------------

-- Immutable versions of a bot. payload: {events, groups, edges, variables, theme, settings}; content_hash: its
-- SHA-256, so that publishing an unchanged draft makes no new version. number counts from 1 within a bot.
-- origin: published, kept from the draft, or the draft that a restore replaced.
create table bot_versions (
  id uuid primary key,
  bot_id text collate "C" not null references bots (id) on delete cascade,
  number int not null check (number > 0),
  author_id text collate "C" references users (id) on delete set null,
  schema_version text not null,
  content_hash bytea not null check (octet_length(content_hash) = 32),
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  note text,
  origin text not null default 'publish' check (origin in ('publish', 'keep', 'restore')),
  unique (bot_id, number),
  unique (bot_id, content_hash)
);

create index bot_versions_author on bot_versions (author_id);
create index bot_versions_replaced on bot_versions (id) where origin = 'restore';

-- Which version is published now.
create table published_bots (
  id text collate "C" primary key,
  bot_id text collate "C" not null unique references bots (id) on delete cascade,
  version_id uuid not null references bot_versions (id),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index published_bots_version on published_bots (version_id);

-- Which version was published when; rows are only added. `at` rises within a bot. No foreign key to users: on a
-- cluster this table and theirs are on different servers. Authors who are gone are not shown.
create table publications (
  bot_id text collate "C" not null references bots (id) on delete cascade,
  at timestamptz(3) not null,
  kind text not null check (kind in ('publish', 'rollback', 'unpublish')),
  version_id uuid references bot_versions (id),
  author_id text collate "C",
  note text,
  primary key (bot_id, at),
  check ((kind = 'unpublish') = (version_id is null))
);

create index publications_version on publications (version_id, at);

-- Chats -----------------------------------------------------------------------------------------------------

-- From here to `save_turn` are the hot tables: what chats write. README.md has their rules.

-- A running chat. state: one JSON text, read and written whole; EXTERNAL storage, because compressing it at every
-- turn costs more than the rest of the write. Nothing indexed ever changes and pages keep room, so that updates
-- stay on their page (heap-only tuples).
create table chat_sessions (
  result_id uuid not null,
  id text collate "C" not null,
  bot_id text collate "C" not null,
  version_id uuid not null,
  state text not null,
  revision int not null default 0,
  claimed_until timestamptz(3),
  claimed_by text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (result_id, id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02
);

alter table chat_sessions alter column state set storage external;

-- A recorded conversation. has_started: it has at least one answer. Archived ones keep their row, emptied.
create table results (
  result_id uuid primary key,
  bot_id text collate "C" not null,
  version_id uuid not null,
  variables jsonb not null default '[]',
  has_started boolean not null default false,
  is_completed boolean not null default false,
  is_archived boolean not null default false,
  last_chat_session_id text collate "C",
  created_at timestamptz(3) not null default now()
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create index results_listed on results (bot_id, result_id desc)
  where has_started and not is_archived;
-- All results of a bot, answered or not, in the order of creation. Without is_completed, which a turn changes.
create index results_of_bot on results (bot_id, result_id desc) where not is_archived;

-- idx orders the answers of a result, from 0; gaps are allowed. shown: what the turn showed before its first
-- answer; null: nothing, or it was stored by a version that did not record it.
create table answers (
  result_id uuid not null,
  idx int not null,
  block_id text collate "C" not null,
  content text not null,
  attached_file_urls jsonb,
  created_at timestamptz(3) not null default now(),
  shown jsonb,
  primary key (result_id, idx)
);

-- One row per turn that left the default path, changed variables, or showed something without taking an answer.
-- edge_ids: in the order taken. set_variables: [{i, blockId, blockIndex, variableId, value}]. trace: blocks,
-- outside calls and variables of the turn. shown: what a turn without an answer showed.
create table result_steps (
  result_id uuid not null,
  step int not null,
  edge_ids text[] not null default '{}',
  set_variables jsonb,
  created_at timestamptz(3) not null default now(),
  trace jsonb,
  shown jsonb,
  primary key (result_id, step)
);

create table logs (
  result_id uuid not null,
  id uuid not null,
  status text not null,
  description text not null,
  details text,
  context text,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

-- Responses to requests that carried an Idempotency-Key. The session id is part of the key: two chats that share
-- a result may use the same key, and reading a response takes the id of its session.
create table idempotency (
  result_id uuid not null,
  session_id text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  status int not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, session_id, key)
);

alter table idempotency alter column body set storage external;

create index idempotency_age on idempotency (created_at);

-- Calls of other systems to chats that wait for them, kept for a day at most. body: the JSON object that was sent.
-- delivered_step: the step of the session at which its client was given the call, which belongs to that step
-- alone; null: it waits for its turn. A preview has no result: an id made of its session id stands in.
create table webhook_calls (
  result_id uuid not null,
  id uuid not null,
  session_id text collate "C" not null,
  block_id text collate "C" not null,
  body text not null,
  delivered_step int,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

create index webhook_calls_age on webhook_calls (created_at);

-- How chats ended, where their results do not say so: kept for 30 days.
create table ended_chats (
  result_id uuid not null,
  session_id text collate "C" not null,
  state text not null check (state in ('ended', 'expired')),
  ended_at timestamptz(3) not null default now(),
  primary key (result_id, session_id)
);

create index ended_chats_age on ended_chats (ended_at);

-- Messages of people in paused chats, in the order of their ids.
create table kept_messages (
  result_id uuid not null,
  id uuid not null,
  session_id text collate "C" not null,
  message jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

-- Which results belong to a key of the caller's own; written with the first turn of a conversation.
create table keyed_results (
  result_id uuid primary key,
  bot_id text collate "C" not null,
  key text collate "C" not null
);

create index keyed_results_key on keyed_results (bot_id, key, result_id desc);
-- Erasure searches for a person by what may be a key, in upper or lower case.
create index keyed_results_lower_key on keyed_results (bot_id, lower(key));

-- Events for clients that listen to a session, in the order of their ids; kept for a day.
create table session_events (
  result_id uuid not null,
  id uuid not null,
  session_id text collate "C" not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

create index session_events_age on session_events (created_at);

-- When to check for silence: one row per open chat of a bot that asks for it.
create table timers (
  result_id uuid not null,
  session_id text collate "C" not null,
  due_at timestamptz(3) not null,
  primary key (result_id, session_id)
);

create index timers_due on timers (due_at);

-- Events of webhooks that wait to be handed out: rows are written with a turn and deleted when their deliveries
-- are written. An event of a bot has its own id as result_id, and no sequence.
create table outbox (
  result_id uuid not null,
  id uuid not null,
  workspace_id text collate "C" not null,
  bot_id text collate "C" not null,
  type text not null,
  sequence int,
  payload jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (result_id, id)
);

create index outbox_age on outbox (created_at);

-- save_turn: everything that one turn of a chat writes, all of it or nothing.
--
-- Call it alone: select save_turn($1, $2, $3, $4, $5, $6, $7, $8) as saved
-- with the result id first, so that the same text is one command for one server when the hot tables are
-- distributed. Returns false, with nothing written, when another turn won. A used idempotency key raises
-- unique_violation (23505) and undoes the turn.
--
--   p_result_id      the result that the session belongs to
--   p_id             the session id
--   p_revision       the revision that was read; null: this turn opens the session
--   p_state          the session's new state; null: the chat is over
--   p_turn           {botId, versionId, expiresAt?, continues?, result?, answers?, step?, logs?, children?,
--                    conversation?, events?}
--     continues      the chat begins with a result: refused when that is archived. true: it may be missing;
--                    'earlier': it was there when the start was asked for, and is refused when missing
--     result         {variables: [...], hasStarted, isCompleted}
--     answers        [{idx, blockId, content, attachedFileUrls?, createdAt?, shown?}]
--     step           {step, edgeIds?, setVariables?, trace?, shown?}
--     logs           [{id, status, description, details?, context?, createdAt?}]
--     children       [{resultId, botId, versionId, result?, answers?, step?, logs?}]: rows of linked bots that
--                    record results of their own
--     conversation   {key?, timer?, ended?, told?, kept?}
--       key          with the first turn: the caller's own key, for keyed_results
--       timer        seconds until the timer is due
--       ended        'ended' or 'expired', with the turn that ends the chat
--       told         [{id, type, data}], for session_events
--       kept         [{id, message}], for kept_messages
--     events         [{id, workspaceId, type, sequence, payload}], for the outbox
--   p_key, p_body_hash, p_body
--                    Idempotency-Key, SHA-256 of the request and the response to repeat; or nulls
--
-- idx and step come from counters in the session. Two chats can share one result: numbers that are taken already
-- are replaced by the next free ones.
create function save_turn(
  p_result_id uuid, p_id text, p_revision int, p_state text, p_turn jsonb,
  p_key text, p_body_hash bytea, p_body text
) returns boolean language plpgsql as $$
declare
  v_now timestamptz := now();
  v_rows jsonb := p_turn;
  v_result_id uuid := p_result_id;
  v_child int := 0;
  v_edges text[];
  v_next int;
  v_stored int;
  v_is_archived boolean;
begin
  if p_revision is null then
    if p_turn ? 'continues' then
      -- An archiving of the result runs before or after this, never meanwhile.
      select is_archived into v_is_archived from results where result_id = p_result_id
      for no key update;
      if v_is_archived or (not found and p_turn->>'continues' = 'earlier') then
        return false;
      end if;
    end if;
    if p_state is not null then
      insert into chat_sessions (result_id, id, bot_id, version_id, state, expires_at)
      values (p_result_id, p_id, p_turn->>'botId', (p_turn->>'versionId')::uuid, p_state,
              (p_turn->>'expiresAt')::timestamptz)
      on conflict (result_id, id) do nothing;
      if not found then return false; end if;
    end if;
  elsif p_state is null then
    delete from chat_sessions
    where result_id = p_result_id and id = p_id and revision = p_revision;
    if not found then return false; end if;
  else
    update chat_sessions set
      state = p_state,
      revision = revision + 1,
      version_id = (p_turn->>'versionId')::uuid,
      claimed_until = null,
      claimed_by = null,
      expires_at = (p_turn->>'expiresAt')::timestamptz,
      updated_at = now()
    where result_id = p_result_id and id = p_id and revision = p_revision;
    if not found then return false; end if;
  end if;

  -- First the rows of the session's own result, then those of each child.
  loop
    if v_rows ? 'result' then
      insert into results (result_id, bot_id, version_id, variables, has_started, is_completed,
                           last_chat_session_id)
      values (v_result_id, v_rows->>'botId', (v_rows->>'versionId')::uuid,
              v_rows->'result'->'variables', (v_rows->'result'->>'hasStarted')::boolean,
              (v_rows->'result'->>'isCompleted')::boolean, p_id)
      on conflict (result_id) do update set
        variables = excluded.variables,
        has_started = results.has_started or excluded.has_started,
        is_completed = results.is_completed or excluded.is_completed,
        last_chat_session_id = excluded.last_chat_session_id;
    end if;

    if v_rows ? 'answers' then
      -- Another chat of this result may have taken their numbers, or be about to: they then follow its own.
      loop
        select max(idx) + 1 into v_next from answers where result_id = v_result_id;
        insert into answers (result_id, idx, block_id, content, attached_file_urls, created_at, shown)
        select v_result_id, x.idx + greatest(v_next - (v_rows->'answers'->0->>'idx')::int, 0),
          x."blockId", x.content, x."attachedFileUrls", coalesce(x."createdAt", v_now), x.shown
        from jsonb_to_recordset(v_rows->'answers') as x(
          idx int, "blockId" text, content text, "attachedFileUrls" jsonb, "createdAt" timestamptz,
          shown jsonb)
        on conflict (result_id, idx) do nothing;
        get diagnostics v_stored = row_count;
        exit when v_stored = jsonb_array_length(v_rows->'answers');
        if v_stored > 0 then
          raise 'Another chat of this result stores answers now' using errcode = 'serialization_failure';
        end if;
      end loop;
    end if;

    if v_rows ? 'step' then
      v_next := (v_rows->'step'->>'step')::int;
      v_edges := array(select jsonb_array_elements_text(v_rows->'step'->'edgeIds'));
      insert into result_steps (result_id, step, edge_ids, set_variables, trace, shown)
      values (v_result_id, v_next, v_edges, v_rows->'step'->'setVariables', v_rows->'step'->'trace',
              v_rows->'step'->'shown')
      on conflict (result_id, step) do nothing;
      if not found then
        select max(step) + 1 into v_next from result_steps where result_id = v_result_id;
        insert into result_steps (result_id, step, edge_ids, set_variables, trace, shown)
        values (v_result_id, v_next, v_edges, v_rows->'step'->'setVariables',
                v_rows->'step'->'trace', v_rows->'step'->'shown');
      end if;
    end if;

    if v_rows ? 'logs' then
      insert into logs (result_id, id, status, description, details, context, created_at)
      select v_result_id, x.id, x.status, x.description, x.details, x.context,
        coalesce(x."createdAt", v_now)
      from jsonb_to_recordset(v_rows->'logs') as x(
        id uuid, status text, description text, details text, context text, "createdAt" timestamptz);
    end if;

    v_rows := p_turn->'children'->v_child;
    exit when v_rows is null;
    v_child := v_child + 1;
    v_result_id := (v_rows->>'resultId')::uuid;
  end loop;

  -- What happens to the conversation beside its rows.
  if p_turn ? 'conversation' then
    v_rows := p_turn->'conversation';
    if v_rows ? 'key' then
      insert into keyed_results (result_id, bot_id, key)
      values (p_result_id, p_turn->>'botId', v_rows->>'key')
      on conflict (result_id) do nothing;
    end if;
    if v_rows ? 'timer' then
      insert into timers (result_id, session_id, due_at)
      values (p_result_id, p_id, now() + make_interval(secs => (v_rows->>'timer')::float8))
      on conflict (result_id, session_id) do update set due_at = excluded.due_at;
    end if;
    if v_rows ? 'ended' then
      insert into ended_chats (result_id, session_id, state)
      values (p_result_id, p_id, v_rows->>'ended')
      on conflict (result_id, session_id) do nothing;
      delete from timers where result_id = p_result_id and session_id = p_id;
    end if;
    if v_rows ? 'told' then
      insert into session_events (result_id, id, session_id, type, data)
      select p_result_id, x.id, p_id, x.type, x.data
      from jsonb_to_recordset(v_rows->'told') as x(id uuid, type text, data jsonb);
    end if;
    if v_rows ? 'kept' then
      insert into kept_messages (result_id, id, session_id, message)
      select p_result_id, x.id, p_id, x.message
      from jsonb_to_recordset(v_rows->'kept') as x(id uuid, message jsonb);
    end if;
  end if;

  if p_turn ? 'events' then
    insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
    select p_result_id, x.id, x."workspaceId", p_turn->>'botId', x.type, x.sequence, x.payload
    from jsonb_to_recordset(p_turn->'events') as x(
      id uuid, "workspaceId" text, type text, sequence int, payload jsonb);
  end if;

  if p_key is not null then
    insert into idempotency (result_id, session_id, key, body_hash, status, body)
    values (p_result_id, p_id, p_key, p_body_hash, 200, p_body);
  end if;
  return true;
end $$;

-- What chats find by a key of its own -----------------------------------------------------------------------

-- Keyed starts: the Idempotency-Key of a start comes before any result id exists. key_id: the first 16 bytes of
-- SHA-256 over bot id, caller's scope and key.
create table start_keys (
  key_id uuid primary key,
  result_id uuid not null,
  session_id text collate "C" not null,
  body_hash bytea not null,
  created_at timestamptz(3) not null default now()
);

create index start_keys_age on start_keys (created_at);

-- Which chat a key of the caller's own stands for now. key_id: the first 16 bytes of SHA-256 over bot id and key.
create table conversations (
  key_id uuid primary key,
  bot_id text collate "C" not null,
  key text collate "C" not null,
  result_id uuid not null,
  session_id text collate "C" not null,
  created_at timestamptz(3) not null default now()
);

create index conversations_listed on conversations (bot_id, result_id desc);
create index conversations_result on conversations (result_id);
create index conversations_lower_key on conversations (bot_id, lower(key));

-- How much each chat and each address may still upload. scope: the hash of a session id, or of an address and an
-- hour. signed_at: when the latest address for an upload was made; once that has expired, the store knows what
-- there is.
create table upload_tallies (
  scope text collate "C" primary key,
  files int not null,
  bytes bigint not null,
  signed_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

create index upload_tallies_age on upload_tallies (expires_at);

-- Rate limits that several processes share. UNLOGGED, because a crash may forget them. The library that writes it
-- (rate-limiter-flexible) names no columns: their order is part of the contract. expire: milliseconds since 1970.
create unlogged table rate_limits (
  key text collate "C" primary key,
  points int not null default 0,
  expire bigint
);

create index rate_limits_age on rate_limits (expire);

-- Results: numbers ------------------------------------------------------------------------------------------

-- Chats counted per workspace and month (UTC) by a job, so that no chat ever counts. A chat counts when it has its
-- first answer, which may be days after its result was made. watermark: the last result id that was counted;
-- settled: results below the watermark, counted for good; chats: that and those above it, which are counted anew
-- each time. quarantined_at: when the chats of this period closed the workspace to new ones; a workspace that was
-- closed by hand has none.
create table workspace_usage (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  period_start date not null,
  chats int not null default 0,
  watermark uuid,
  updated_at timestamptz(3) not null default now(),
  settled int not null default 0,
  quarantined_at timestamptz(3),
  primary key (workspace_id, period_start)
);

-- The chats of each hour that may still grow, by workspace: an hour is counted again ever more seldom, and goes
-- when none of its chats can get a first answer any more.
create table usage_hours (
  hour timestamptz(3) primary key,
  from_id uuid not null,
  chats jsonb not null,
  counted_at timestamptz(3) not null
);

-- Days (UTC) whose results were counted, by their ids; a missing day is counted when it is asked for.
-- counted_at: null until the count ends.
create table analytics_days (
  day date primary key,
  count_id uuid not null,
  counted_at timestamptz(3)
);

-- What the results of a day hold, by bot and version. quarter: the first quarter of an hour of the day, since
-- 1970; in some rows of versions before 0.2.0, the quarter that they count.
create table analytics_counts (
  bot_id text collate "C" not null,
  quarter int not null,
  version_id uuid not null,
  counts jsonb not null,
  primary key (bot_id, quarter, version_id)
);

create index analytics_counts_quarter on analytics_counts (quarter);

-- Counts of a bot's day that do not hold, because its results were deleted or are being counted: such a day is
-- counted when it is asked for. By count_id a count that is under way notices a deletion.
create table analytics_voids (
  bot_id text collate "C" not null,
  day date not null,
  count_id uuid not null,
  primary key (bot_id, day)
);

-- Previews --------------------------------------------------------------------------------------------------

-- Flows tried before they are published. UNLOGGED, because losing them at a crash costs nothing. They have no
-- result id; the flow is stored first and the session second.

-- owner: a user, a workspace or, for an anonymous preview, an address.
create unlogged table preview_flows (
  hash bytea primary key check (octet_length(hash) = 32),
  payload text not null,
  last_used_at timestamptz(3) not null default now(),
  owner text collate "C",
  is_anonymous boolean
);

create index preview_flows_age on preview_flows (last_used_at);
create index preview_flows_owner on preview_flows (is_anonymous, owner);

-- bot_id, workspace_id and owner_user_id come from the database, never from the request; all three are null for
-- an anonymous caller. owner: as in preview_flows.
create unlogged table preview_sessions (
  id text collate "C" primary key,
  bot_id text collate "C",
  workspace_id text collate "C",
  owner_user_id text collate "C",
  flow_hash bytea not null,
  state text not null,
  revision int not null default 0,
  claimed_until timestamptz(3),
  claimed_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  owner text collate "C",
  is_anonymous boolean
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02
);

alter table preview_sessions alter column state set storage external;

-- To find the preview of a user that waits. The owner of a session never changes.
create index preview_sessions_owned on preview_sessions (owner_user_id)
  where owner_user_id is not null;
create index preview_sessions_owner on preview_sessions (is_anonymous, owner);

-- States before the last answers, to which a preview can go back. revision: that of the session when the state was
-- left for the next one.
create unlogged table preview_states (
  session_id text collate "C" not null references preview_sessions (id) on delete cascade,
  revision int not null,
  state text not null,
  primary key (session_id, revision)
);

alter table preview_states alter column state set storage external;

-- Keyed starts under way: other processes leave one alone until claimed_until.
create unlogged table preview_starts (
  key_id uuid primary key,
  claimed_until timestamptz(3) not null,
  claimed_by text not null,
  created_at timestamptz(3) not null default now()
);

create index preview_starts_age on preview_starts (created_at);

-- Responses to requests with an Idempotency-Key. They go with their session, whose number is bounded.
-- call: start or continue. key: that of the request, or the id of the keyed start.
create unlogged table preview_responses (
  session_id text collate "C" not null references preview_sessions (id) on delete cascade,
  call text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  primary key (session_id, call, key)
);

create index preview_responses_age on preview_responses (created_at);

-- A write of a preview locks the row of its class, so that two at once cannot both take the last place.
create table preview_classes (
  is_anonymous boolean primary key
);

insert into preview_classes (is_anonymous) values (false), (true);

-- Stores a flow, or notes that it was used again. Flows over the bounds go: of the same owner the least recently
-- used; of all in the same class those that are the most of one owner, so that a few callers with many flows do
-- not push out those of others.
create function save_preview_flow(
  p_hash bytea, p_payload text, p_owner text, p_is_anonymous boolean,
  p_flows int, p_bytes bigint, p_flows_in_all int, p_bytes_in_all bigint
) returns void language plpgsql as $$
declare
  v_gone bytea[];
begin
  update preview_flows set last_used_at = now() where hash = p_hash;
  if found then return; end if;
  perform from preview_classes where is_anonymous = p_is_anonymous for update;
  insert into preview_flows (hash, payload, owner, is_anonymous)
  values (p_hash, p_payload, p_owner, p_is_anonymous)
  on conflict (hash) do nothing;
  select array_agg(hash) into v_gone
  from (
    select hash, flows, bytes,
      row_number() over (order by is_other, flows, last_used_at desc, hash) as flows_in_all,
      sum(own_bytes) over (order by is_other, bytes, last_used_at desc, hash
        rows unbounded preceding) as bytes_in_all
    from (
      select hash, is_other, last_used_at, own_bytes,
        row_number() over of_owner as flows, sum(own_bytes) over of_owner as bytes
      from (
        select hash, owner, hash <> p_hash as is_other, last_used_at,
          octet_length(payload) as own_bytes
        from preview_flows where is_anonymous = p_is_anonymous
      ) as stored
      window of_owner as (partition by owner order by is_other, last_used_at desc, hash
          rows unbounded preceding)
    ) as of_owners
  ) as ranked
  where flows > p_flows or bytes > p_bytes
    or flows_in_all > p_flows_in_all or bytes_in_all > p_bytes_in_all;
  if v_gone is not null then
    delete from preview_flows where hash = any(v_gone);
  end if;
end $$;

-- Opens a preview, or replaces the one with this id if the same owner began it; null: another owner did. A preview
-- that begins has no way back into an earlier one under its id. Bounded as flows are; without p_sessions_in_all
-- only each owner is bounded.
create function open_preview_session(
  p_id text, p_bot_id text, p_workspace_id text, p_owner_user_id text, p_flow_hash bytea,
  p_state text, p_owner text, p_is_anonymous boolean, p_sessions int, p_sessions_in_all int
) returns int language plpgsql as $$
declare
  v_revision int;
  v_gone text[];
begin
  perform from preview_classes where is_anonymous = p_is_anonymous for update;
  insert into preview_sessions
    (id, bot_id, workspace_id, owner_user_id, flow_hash, state, owner, is_anonymous, updated_at)
  values (p_id, p_bot_id, p_workspace_id, p_owner_user_id, p_flow_hash, p_state, p_owner,
          p_is_anonymous, now())
  on conflict (id) do update set bot_id = excluded.bot_id, workspace_id = excluded.workspace_id,
    flow_hash = excluded.flow_hash, state = excluded.state,
    revision = preview_sessions.revision + 1,
    claimed_until = null, claimed_by = null, updated_at = excluded.updated_at
  where preview_sessions.owner = excluded.owner
  returning revision into v_revision;
  if v_revision is null then return null; end if;
  delete from preview_states where session_id = p_id;
  select array_agg(id) into v_gone
  from (
    select id from preview_sessions where is_anonymous = p_is_anonymous and owner = p_owner
    order by id <> p_id, updated_at desc, id offset p_sessions
  ) as too_many;
  delete from preview_sessions where id = any(v_gone);
  if p_sessions_in_all is not null then
    select array_agg(id) into v_gone
    from (
      select id
      from (
        select id, updated_at,
          row_number() over (partition by owner order by id <> p_id, updated_at desc, id) as place
        from preview_sessions where is_anonymous = p_is_anonymous
      ) as ranked
      order by id <> p_id, place, updated_at desc, id offset p_sessions_in_all
    ) as too_many;
    delete from preview_sessions where id = any(v_gone);
  end if;
  return v_revision;
end $$;

-- The write of a keyed start: opens the preview as open_preview_session does, and stores the response. False:
-- another owner has the id, or another process has taken the start over.
create function open_keyed_preview(
  p_id text, p_bot_id text, p_workspace_id text, p_owner_user_id text, p_flow_hash bytea,
  p_state text, p_owner text, p_is_anonymous boolean, p_sessions int, p_sessions_in_all int,
  p_key_id uuid, p_by text, p_body_hash bytea, p_body text, p_most int
) returns boolean language plpgsql as $$
declare
  v_revision int;
  v_gone text[];
begin
  perform from preview_starts where key_id = p_key_id and claimed_by = p_by for update;
  if not found then return false; end if;
  v_revision := open_preview_session(p_id, p_bot_id, p_workspace_id, p_owner_user_id, p_flow_hash,
    p_state, p_owner, p_is_anonymous, p_sessions, p_sessions_in_all);
  if v_revision is null then return false; end if;
  insert into preview_responses (session_id, call, key, body_hash, body)
  values (p_id, 'start', p_key_id::text, p_body_hash, p_body);
  select array_agg(key) into v_gone
  from (
    select key from preview_responses where session_id = p_id and call = 'start'
    order by key <> p_key_id::text, created_at desc, key offset p_most
  ) as too_many;
  delete from preview_responses
  where session_id = p_id and call = 'start' and key = any(v_gone);
  return true;
end $$;

-- The write of a keyed turn: session and response, or nothing. False: another turn won. Of more responses than
-- p_most the oldest go.
create function save_keyed_preview(
  p_id text, p_revision int, p_state text, p_key text, p_body_hash bytea, p_body text, p_most int
) returns boolean language plpgsql as $$
declare
  v_gone text[];
begin
  update preview_sessions
  set state = p_state, revision = revision + 1, claimed_until = null, claimed_by = null,
    updated_at = now()
  where id = p_id and revision = p_revision;
  if not found then return false; end if;
  insert into preview_responses (session_id, call, key, body_hash, body)
  values (p_id, 'continue', p_key, p_body_hash, p_body);
  select array_agg(key) into v_gone
  from (
    select key from preview_responses where session_id = p_id and call = 'continue'
    order by key <> p_key, created_at desc, key offset p_most
  ) as too_many;
  delete from preview_responses
  where session_id = p_id and call = 'continue' and key = any(v_gone);
  return true;
end $$;

-- The write of a turn that took an answer: keeps the state before it. The oldest states beyond the bounds go, but
-- never the last one. p_key: that of the request; null: it has none. False: another turn won.
create function save_answered_preview(
  p_id text, p_revision int, p_state text, p_most_states int, p_most_bytes int,
  p_key text, p_body_hash bytea, p_body text, p_most_responses int
) returns boolean language plpgsql as $$
declare
  v_state text;
  v_gone int;
begin
  select state into v_state from preview_sessions
  where id = p_id and revision = p_revision for update;
  if not found then return false; end if;
  insert into preview_states (session_id, revision, state) values (p_id, p_revision, v_state);
  select max(revision) into v_gone
  from (
    select revision, row_number() over newest as place, sum(octet_length(state)) over newest as bytes
    from preview_states where session_id = p_id
    window newest as (order by revision desc)
  ) as kept
  where place > p_most_states or (place > 1 and bytes > p_most_bytes);
  delete from preview_states where session_id = p_id and revision <= v_gone;
  if p_key is not null then
    return save_keyed_preview(p_id, p_revision, p_state, p_key, p_body_hash, p_body, p_most_responses);
  end if;
  update preview_sessions
  set state = p_state, revision = revision + 1, claimed_until = null, claimed_by = null,
    updated_at = now()
  where id = p_id;
  return true;
end $$;

-- Goes back to a kept state, which p_state equals but for what only ever grows. False: a turn came first.
create function restore_preview_state(p_id text, p_revision int, p_state text, p_kept int)
returns boolean language plpgsql as $$
begin
  update preview_sessions
  set state = p_state, revision = revision + 1, claimed_until = null, claimed_by = null,
    updated_at = now()
  where id = p_id and revision = p_revision;
  if not found then return false; end if;
  delete from preview_states where session_id = p_id and revision >= p_kept;
  return true;
end $$;

-- Events ----------------------------------------------------------------------------------------------------

-- Receivers of webhooks. bot_ids: null = all bots of the workspace. data, nonce and key_id: the sealed secret, as in
-- credentials. Without a url: a listener that fetches its events, until expires_at. disabled_reason: null unless
-- the service disabled it.
create table webhook_endpoints (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  url text,
  types text[] not null,
  bot_ids text[],
  description text,
  is_enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  data bytea,
  nonce bytea check (octet_length(nonce) = 12),
  key_id smallint,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_failure text,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (url is null or data is not null and nonce is not null and key_id is not null)
);

create index webhook_endpoints_listed on webhook_endpoints (workspace_id);

-- What the receivers of an event get, once for all of them. bytes: what the event takes with its deliveries; it and
-- workspace_id are null in rows that are not counted, which versions before 0.2.0 may have left.
create table event_bodies (
  id uuid primary key,
  result_id uuid not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  workspace_id text collate "C",
  bytes int
);

create index event_bodies_result on event_bodies (result_id);
create index event_bodies_age on event_bodies (created_at);
-- Ids rise with time; bytes are added up from the index alone.
create index event_bodies_room on event_bodies (workspace_id, id) include (bytes);

-- One event for one endpoint, kept for 30 days; ids rise in the order in which deliveries begin. body: null, and
-- the delivery sends that of its event; deliveries of versions before 0.2.0 may have their own. attempts: since
-- the last request for it. The columns from attempted_at to error describe the last attempt.
create table deliveries (
  endpoint_id text collate "C" not null references webhook_endpoints (id) on delete cascade,
  id uuid not null,
  event_id uuid not null,
  result_id uuid not null,
  type text not null,
  body text,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  next_at timestamptz(3),
  attempted_at timestamptz(3),
  status int,
  duration_ms int,
  answer text,
  error text,
  created_at timestamptz(3) not null default now(),
  primary key (endpoint_id, id)
);

create index deliveries_due on deliveries (endpoint_id, next_at, id) where state = 'pending';
create index deliveries_event on deliveries (result_id, event_id);
create index deliveries_age on deliveries (created_at);

-- What a workspace has added and not lost for lack of room since the last count, so at least what is stored.
create table event_tallies (
  workspace_id text collate "C" primary key,
  bytes bigint not null
);

-- Jobs ------------------------------------------------------------------------------------------------------

-- Recurring jobs, one row each: the process that claims a due row runs it.
create table jobs (
  name text collate "C" primary key,
  run_at timestamptz(3) not null default now(),
  claimed_until timestamptz(3),
  claimed_by text,
  last_started_at timestamptz(3),
  last_finished_at timestamptz(3),
  last_error text
);
