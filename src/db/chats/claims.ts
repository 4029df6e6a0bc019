/** Claims of live sessions: which turn may cause effects outside. */
import type { Statement } from "../connection/hotQuery.ts"
import type { Db } from "../connection/open.ts"

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

/** Ends the claim of a turn that wrote nothing. */
export const releaseClaimStatement: Statement = {
  name: "release_claim",
  text: `update chat_sessions set claimed_until = null, claimed_by = null
where result_id = $1 and id = $2 and revision = $3 and claimed_by = $4`,
}

/** Who claims a session, at which revision, and for how long. */
export type Claim = {
  resultId: string
  /** Id of the session. */
  id: string
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
