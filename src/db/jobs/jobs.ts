/** The table of recurring jobs: which process runs what, and when it is due again. */
import { sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"

export type JobClaim = {
  name: string
  /** Name of the process. */
  by: string
  /** How long others leave the job alone; a claim that is still needed is renewed in time. */
  seconds: number
}

type JobEnd = Pick<JobClaim, "name" | "by"> & {
  /** When it is due again. */
  afterSeconds: number
  /** The error; null: none. */
  error: string | null
}

/** Makes sure that every job has its row; new ones are due at once. */
export async function ensureJobs(db: Db, names: readonly string[]): Promise<void> {
  await db.kysely
    .insertInto("jobs")
    .values(names.map((name) => ({ name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Claims the one of the named jobs that has been due longest. Returns undefined when none is due, or others
 * have them.
 */
export async function claimJob(
  db: Db,
  { names, seconds, by }: Omit<JobClaim, "name"> & { names: readonly string[] },
): Promise<string | undefined> {
  // Times are stored in milliseconds: rounded as they are, now is never before a moment that has passed.
  const text = `update jobs set claimed_until = now() + make_interval(secs => $2), claimed_by = $3,
  last_started_at = now()
where name = (
  select name from jobs
  where name = any($1) and run_at <= now()::timestamptz(3) and (claimed_until is null or claimed_until < now())
  order by run_at limit 1 for update skip locked
)
returning name`
  const rows = await db.run<{ name: string }>({ name: "claim_job", text }, [names, seconds, by])
  return rows[0]?.name
}

/** Reads the database's clock, in milliseconds since 1970. */
export async function readClock({ kysely }: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(kysely)
  return rows[0]?.ms ?? 0
}

/** Renews a claim. Returns false when it ran out and another process has the job. */
export async function renewJob(db: Db, { name, by, seconds }: JobClaim): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable("jobs")
    .set({ claimedUntil: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where("name", "=", name)
    .where("claimedBy", "=", by)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records how a job ended and gives up the claim. */
export async function finishJob(db: Db, { name, by, afterSeconds, error }: JobEnd): Promise<void> {
  await db.kysely
    .updateTable("jobs")
    .set({
      runAt: sql<Date>`now() + make_interval(secs => ${afterSeconds})`,
      claimedUntil: null,
      claimedBy: null,
      lastFinishedAt: sql<Date>`now()`,
      lastError: error,
    })
    .where("name", "=", name)
    .where("claimedBy", "=", by)
    .execute()
}
