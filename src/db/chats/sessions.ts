/** Reads live sessions, and stores what their turns change: one statement each. */
import type { StoredTrace } from "../../engine/recorded/trace.ts"
import type { ShownPart } from "../../engine/records.ts"
import type { Statement } from "../connection/hotQuery.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { EndState } from "../schema/hotTables.ts"
import { isClaimedColumn } from "./claims.ts"

/** A live session as it was read. */
export type SessionRow = {
  /** JSON text; only the engine knows its form. */
  state: string
  /** Grows at every write and every claim; a write names the one it started from. */
  revision: number
  botId: string
  /** The version that the session started on. */
  versionId: string
  /** A turn with outside effects runs, by the database's clock. */
  isClaimed: boolean
  /** Who claimed it last: the name of a process. */
  claimedBy: string | null
  /** Whether the session has stopped accepting messages, by the database's clock. */
  isExpired: boolean
  /** When it does so unless a first answer comes before; null: it has one, or need not have one soon. */
  expiresAt: Date | null
  /** The time of the database. */
  now: Date
}

export type StoredResponse = { bodyHash: Buffer; status: number; body: string }

/** What was found: the session, the response stored under the key, both, or neither. */
export type FoundSession = {
  session: SessionRow | undefined
  /** Looked for only when a key is given; kept for 24 hours, even after the chat is over. */
  response: StoredResponse | undefined
}

/** Names a chat: the result that it began with, and its session. */
export type ChatIds = { resultId: string; sessionId: string }

type FoundRow = SessionRow & (StoredResponse | { [Member in keyof StoredResponse]: null })

const columns = `state, revision, bot_id as "botId", version_id as "versionId",
  ${isClaimedColumn}, claimed_by as "claimedBy",
  coalesce(expires_at < now(), false) as "isExpired", expires_at as "expiresAt", now() as now`

/** The read of a turn. */
export const findSessionStatement: Statement = {
  name: "find_session",
  isRead: true,
  text: `select ${columns} from chat_sessions where result_id = $1 and id = $2`,
}

/** The read of a keyed turn; two branches, because the response outlives the session. */
export const findKeyedSessionStatement: Statement = {
  name: "find_keyed_session",
  isRead: true,
  text: `select ${columns}, null::bytea as "bodyHash", null::int as status, null::text as body
from chat_sessions where result_id = $1 and id = $2
union all
select null, null, null, null, null, null, null, null, null, body_hash, status, body
from idempotency where result_id = $1 and session_id = $2 and key = $3`,
}

/** Finds a session, and with a key also the response stored under it, in one statement. */
export async function findSession(
  db: Db,
  { resultId, sessionId, key }: ChatIds & { key?: string | undefined },
): Promise<FoundSession> {
  if (key === undefined) {
    const rows = await db.run<SessionRow>(findSessionStatement, [resultId, sessionId])
    return { session: rows[0], response: undefined }
  }
  const rows = await db.run<FoundRow>(findKeyedSessionStatement, [resultId, sessionId, key])
  const found: FoundSession = { session: undefined, response: undefined }
  for (const { bodyHash, status, body, ...session } of rows) {
    if (bodyHash === null) found.session = session
    else found.response = { bodyHash, status, body }
  }
  return found
}

/** Finds the last session of a result. Returns undefined for an unknown or archived result. */
export async function findLastSessionId(db: Db, resultId: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("results")
    .select("lastChatSessionId")
    .where("resultId", "=", resultId)
    .where("isArchived", "=", false)
    .executeTakeFirst()
  return row?.lastChatSessionId ?? undefined
}

/**
 * Whether there is a chat; its row is locked until the transaction ends. A concurrent deletion is
 * waited for.
 */
export async function lockSession({ kysely }: Source, { resultId, sessionId }: ChatIds) {
  const session = await kysely
    .selectFrom("chatSessions")
    .select("id")
    .where("resultId", "=", resultId)
    .where("id", "=", sessionId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return session !== undefined
}

/** An accepted reply. */
export type AnswerRow = {
  /**
   * Counter kept in the session; when it is taken (two chats share a result), the next free one.
   */
  idx: number
  blockId: string
  content: string
  attachedFileUrls?: string[]
  /** ISO 8601; absent: now. */
  createdAt?: string
  /** Of the first answer of a turn: what the turn showed. */
  shown?: ShownPart[]
}

/** Edges taken off the default path, variables set, and calls made in one turn. */
export type StepRow = {
  /** Counter kept in the session; when it is taken, the next free one. */
  step: number
  edgeIds?: string[]
  setVariables?: unknown[]
  trace?: StoredTrace
  /** What a turn without an answer showed. */
  shown?: ShownPart[]
}

export type LogRow = {
  /** A UUID, unique within its result. */
  id: string
  status: string
  description: string
  details?: string
  context?: string
  /** ISO 8601; absent: now. */
  createdAt?: string
}

/** What a result records; has_started and is_completed never go back to false. */
export type ResultRow = { variables: unknown[]; hasStarted: boolean; isCompleted: boolean }

/** Rows that belong to one result; absent members write nothing. */
export type ResultRows = {
  botId: string
  versionId: string
  result?: ResultRow
  answers?: AnswerRow[]
  step?: StepRow
  logs?: LogRow[]
}

/** An event of a conversation, as it waits to be handed out. */
export type EventRow = {
  /** A UUID: the receivers' `webhook-id`. */
  id: string
  workspaceId: string
  type: string
  /** Counts the events of the session from 1. */
  sequence: number
  payload: object
}

/** An event for clients that listen to a session. */
export type Notice = { id: string; type: string; data: object }

/** Changes to a conversation beside its rows; absent members write nothing. */
export type ConversationRows = {
  /** Seconds until the next check for silence. */
  timer?: number
  /** How the chat ended, with the turn that ends it. */
  ended?: EndState
  /** For clients that listen to the session. Ids are UUIDv7. */
  notices?: Notice[]
  /** With the first turn of a conversation: the caller's own key. */
  key?: string
  /** Messages that the bot does not hear. Ids are UUIDv7. */
  kept?: { id: string; message: object }[]
}

/** `p_turn` of `save_turn`: the rows of the session's own result, and those of linked bots'. */
export type TurnRows = ResultRows & {
  /** When the session stops accepting messages, ISO 8601; absent: never. */
  expiresAt?: string | undefined
  /**
   * The chat begins with a result that may exist already: refused when it is archived. `earlier`: one that
   * did exist, refused when it is gone, too.
   */
  continues?: true | "earlier" | undefined
  /** For the outbox; absent: no endpoint subscribes to them. */
  events?: EventRow[]
  /** Absent: the chat has no key and no timer, and is not steered. */
  conversation?: (Omit<ConversationRows, "notices"> & { told?: Notice[] | undefined }) | undefined
  /** Rows of linked bots that record results of their own. */
  children?: (ResultRows & { resultId: string })[]
}

/** The response to repeat for a request with the same Idempotency-Key. */
export type KeyedResponse = {
  key: string
  /** SHA-256 of the request's body. */
  bodyHash: Buffer
  /** The JSON text that was sent with status 200. */
  body: string
}

export type TurnToSave = {
  resultId: string
  sessionId: string
  /** The revision that the turn started from; null: it opens the session. */
  revision: number | null
  /** The session's new state; null: the chat is over and keeps no session. */
  state: string | null
  rows: TurnRows
  keyed?: KeyedResponse
}

export const saveTurnStatement: Statement = {
  name: "save_turn",
  text: "select save_turn($1, $2, $3, $4, $5, $6, $7, $8) as saved",
}

/**
 * Stores a turn as a whole. Returns false, with nothing written, when another turn won. Throws a
 * violation of `idempotency_pkey`, with nothing written either, when the key is taken.
 */
export async function saveTurn(db: Db, turn: TurnToSave): Promise<boolean> {
  const rows = await db.run<{ saved: boolean }>(saveTurnStatement, [
    turn.resultId,
    turn.sessionId,
    turn.revision,
    turn.state,
    toJsonb(turn.rows),
    turn.keyed?.key ?? null,
    turn.keyed?.bodyHash ?? null,
    turn.keyed?.body ?? null,
  ])
  return rows[0]?.saved === true
}

/**
 * Returns JSON text that PostgreSQL accepts as jsonb: without NUL characters, and with U+FFFD for
 * lone surrogates, both of which it refuses.
 */
export function toJsonb(value: unknown): string {
  const json = JSON.stringify(value)
  // JSON.stringify escapes exactly these two kinds (ECMA-262 25.5.2.3), so most texts end here.
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_, member) =>
    typeof member === "string" ? member.replaceAll("\0", "").toWellFormed() : member,
  )
}
