/** Claims of sessions and previews: which turn may cause effects outside. */
import type { Statement } from "../connection/hotQuery.ts"
import type { Db } from "../connection/openDatabase.ts"

/**
 * Longer than any claim. One that seems to last longer was taken before the database's clock was
 * set back, and would block all turns until the clock catches up.
 */
const maxClaim = "interval '11 minutes'"

/** Whether a turn with outside effects runs, in the columns of a session or of a preview. */
export const isClaimedColumn = `coalesce(claimed_until > now()
    and claimed_until < now() + ${maxClaim}, false) as "isClaimed"`

/**
 * The statements for claims in a table whose rows these columns identify. Their values are the revision,
 * the process, the row, and (but for `release`) the seconds.
 */
function claimStatements(table: string, columns: readonly string[]) {
  const named = columns.map((column, index) => `${column} = $${index + 3}`).join(" and ")
  const row = `${named} and revision = $1`
  const until = `now() + make_interval(secs => $${columns.length + 3})`
  return {
    claim: {
      name: `claim_${table}`,
      text: `update ${table} set claimed_until = ${until}, claimed_by = $2, revision = revision + 1
where ${row} and (claimed_until is null or claimed_until < now()
  or claimed_until > now() + ${maxClaim} or claimed_by = $2)
returning revision`,
    },
    // Even an expired one, unless another turn has claimed the session.
    renew: {
      name: `renew_${table}`,
      text: `update ${table} set claimed_until = ${until}
where ${row} and claimed_by = $2
returning revision`,
    },
    release: {
      name: `release_${table}`,
      text: `update ${table} set claimed_until = null, claimed_by = null
where ${row} and claimed_by = $2`,
    },
  } satisfies Record<string, Statement>
}

const live = claimStatements("chat_sessions", ["result_id", "id"])
const preview = claimStatements("preview_sessions", ["id"])

/** A session, at the revision that a turn has read. */
type ReadSession = {
  sessionId: string
  /** Absent: the session is a preview. */
  resultId?: string
  revision: number
}

/** Who claims a session, and for how long. */
export type Claim = ReadSession & {
  /** How long others leave the session alone; a claim that is still needed is renewed in time. */
  seconds: number
  /** Name of the process, which may claim again what it holds: its own turns wait for each other. */
  by: string
}

function statementsFor({ resultId }: ReadSession) {
  return resultId === undefined ? preview : live
}

function rowOf({ resultId, sessionId }: ReadSession): string[] {
  return resultId === undefined ? [sessionId] : [resultId, sessionId]
}

/**
 * Claims a session before a turn's first outside effect. Returns the revision to save from: a turn
 * that read the session before the claim can no longer save. Returns undefined when another turn
 * won.
 */
export async function claimSession(db: Db, claim: Claim): Promise<number | undefined> {
  const values = [claim.revision, claim.by, ...rowOf(claim), claim.seconds]
  const rows = await db.run<{ revision: number }>(statementsFor(claim).claim, values)
  return rows[0]?.revision
}

/**
 * Renews a claim, which leaves the revision as it is. Returns false when the claim ran out and
 * another turn has claimed the session or saved.
 */
export async function renewClaim(db: Db, claim: Claim): Promise<boolean> {
  const values = [claim.revision, claim.by, ...rowOf(claim), claim.seconds]
  return (await db.run(statementsFor(claim).renew, values)).length > 0
}

/** Gives up a claim whose turn saves nothing; `revision` is the one that `claimSession` returns. */
export async function releaseClaim(db: Db, claim: Omit<Claim, "seconds">): Promise<void> {
  await db.run(statementsFor(claim).release, [claim.revision, claim.by, ...rowOf(claim)])
}
