/** Reads and claims live chat sessions, and finds what earlier keyed requests were answered. */
import type { Db } from "../connection/open.ts"
import type { Statement } from "../connection/pipelines.ts"

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
  /** When it does so unless a first answer comes before; null: it has one, or may wait for it. */
  expiresAt: Date | null
}

/** The stored response of a keyed request. */
export type StoredResponse = { bodyHash: Buffer; status: number; body: string }

/** What was found: the session, the response stored under the key, both, or neither. */
export type FoundSession = {
  session: SessionRow | undefined
  /** Looked for only when a key is given; kept for 24 hours, even after the chat is over. */
  response: StoredResponse | undefined
}

/** Names a session. */
export type SessionAddress = { resultId: string; id: string }

type FoundRow = SessionRow & (StoredResponse | { [Member in keyof StoredResponse]: null })

/**
 * Longer than any claim. One that seems to last longer was taken before the database's clock was
 * set back, and would keep everybody out until the clock catches up.
 */
const longestClaim = "interval '11 minutes'"

/** Whether a turn with outside effects runs, in the columns of a session or of a preview. */
export const isClaimedColumn = `coalesce(claimed_until > now()
    and claimed_until < now() + ${longestClaim}, false) as "isClaimed"`

/** Whether a session or a preview may be claimed by the process whose name is this parameter. */
export function mayClaim(by: string): string {
  return `(claimed_until is null or claimed_until < now()
    or claimed_until > now() + ${longestClaim} or claimed_by = ${by})`
}

const columns = `state, revision, bot_id as "botId", version_id as "versionId",
  ${isClaimedColumn}, claimed_by as "claimedBy",
  coalesce(expires_at < now(), false) as "isExpired", expires_at as "expiresAt"`

/** The read of a turn. */
export const findSessionStatement: Statement = {
  name: "find_session",
  text: `select ${columns} from chat_sessions where result_id = $1 and id = $2`,
}

/** The read of a keyed turn; two branches, because the response outlives the session. */
export const findKeyedSessionStatement: Statement = {
  name: "find_keyed_session",
  text: `select ${columns}, null::bytea as "bodyHash", null::int as status, null::text as body
from chat_sessions where result_id = $1 and id = $2
union all
select null, null, null, null, null, null, null, null, body_hash, status, body
from idempotency where result_id = $1 and session_id = $2 and key = $3`,
}

/** Marks a session as busy. */
export const claimSessionStatement: Statement = {
  name: "claim_session",
  text: `update chat_sessions
set claimed_until = now() + make_interval(secs => $4), claimed_by = $5, revision = revision + 1
where result_id = $1 and id = $2 and revision = $3 and ${mayClaim("$5")}
returning revision`,
}

/** Renews a claim, even one that ran out while nobody else wanted the session. */
export const renewClaimStatement: Statement = {
  name: "renew_claim",
  text: `update chat_sessions set claimed_until = now() + make_interval(secs => $4)
where result_id = $1 and id = $2 and revision = $3 and claimed_by = $5
returning revision`,
}

/** Ends a claim that wrote nothing. */
export const releaseClaimStatement: Statement = {
  name: "release_claim",
  text: `update chat_sessions set claimed_until = null, claimed_by = null
where result_id = $1 and id = $2 and revision = $3 and claimed_by = $4`,
}

/** Finds a session, and with a key also the response stored under it, in one statement. */
export async function findSession(
  db: Db,
  { resultId, id, key }: SessionAddress & { key?: string | undefined },
): Promise<FoundSession> {
  if (key === undefined) {
    const rows = await db.run<SessionRow>(findSessionStatement, [resultId, id])
    return { session: rows[0], response: undefined }
  }
  const rows = await db.run<FoundRow>(findKeyedSessionStatement, [resultId, id, key])
  const found: FoundSession = { session: undefined, response: undefined }
  for (const { bodyHash, status, body, ...session } of rows) {
    if (bodyHash === null) found.session = session
    else found.response = { bodyHash, status, body }
  }
  return found
}

/** Who claims a session, at which revision, and for how long. */
export type Claim = SessionAddress & {
  revision: number
  /** How long others leave the session alone; a claim that is still needed is renewed in time. */
  seconds: number
  /**
   * Name of the process, which may claim again what it holds: its own turns wait for each other.
   */
  by: string
}

/**
 * Claims a session before a turn's first outside effect. Returns the revision to save from: a turn
 * that read the session before the claim can no longer save. Returns undefined when another turn
 * won.
 */
export async function claimSession(db: Db, claim: Claim): Promise<number | undefined> {
  const { resultId, id, revision, seconds, by } = claim
  const rows = await db.run<{ revision: number }>(claimSessionStatement, [
    resultId,
    id,
    revision,
    seconds,
    by,
  ])
  return rows[0]?.revision
}

/**
 * Renews a claim, which leaves the revision as it is. Returns false when the claim ran out and
 * another turn has claimed the session or saved.
 */
export async function renewClaim(db: Db, claim: Claim): Promise<boolean> {
  const { resultId, id, revision, seconds, by } = claim
  const rows = await db.run(renewClaimStatement, [resultId, id, revision, seconds, by])
  return rows.length > 0
}

/** Gives up a claim whose turn saves nothing; `revision` is the one that `claimSession` returns. */
export async function releaseClaim(
  db: Db,
  { resultId, id, revision, by }: Pick<Claim, "resultId" | "id" | "revision" | "by">,
): Promise<void> {
  await db.run(releaseClaimStatement, [resultId, id, revision, by])
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
