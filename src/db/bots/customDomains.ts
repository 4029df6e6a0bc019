/** Finds the bots of domains, and stores which workspaces have proven that a host is theirs. */
import { sql } from "kysely"
import type { Plan } from "../../lib/plans.ts"
import type { Db, Source } from "../connection/openDatabase.ts"

/** A bot with a domain at a host. */
type BotAtHost = {
  botId: string
  /** Null: the bot cannot be reached. */
  publicId: string | null
  customDomain: string
  plan: Plan
  /** Whether its workspace has the host: it has proven it, and none has later. */
  isProven: boolean
}

/** Lists the bots that name a host, those of the workspace that has it first: at most 200 are served. */
export async function listBotsAt(db: Db, host: string): Promise<BotAtHost[]> {
  const text = `select b.id as "botId", b.public_id as "publicId", b.custom_domain as "customDomain", w.plan,
  b.workspace_id is not distinct from (
    select workspace_id from domain_proofs where host = $1 order by proven_at desc limit 1) as "isProven"
from bots b join workspaces w on w.id = b.workspace_id
where lower(rtrim(split_part(b.custom_domain, '/', 1), '.')) = $1
  and b.custom_domain is not null and not b.is_archived
order by 5 desc limit 200`
  return await db.run<BotAtHost>({ name: "list_bots_at_host", text }, [host])
}

/** A host that a workspace may have proven. */
type Proof = { host: string; workspaceId: string }

/** Stores that a workspace has proven a host now, and for the first time since it was not proven. */
export async function saveProof({ kysely }: Source, proof: Proof): Promise<void> {
  const now = sql<Date>`now()`
  await kysely
    .insertInto("domainProofs")
    .values({ ...proof, provenAt: now, checkedAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(["host", "workspaceId"])
        .doUpdateSet(({ ref }) => ({ checkedAt: ref("excluded.checkedAt"), lostAt: null })),
    )
    .execute()
}

/** Notes that the record of a proof is missing, and deletes the proof once it has been for so many days. */
export async function noteLoss(
  { kysely }: Source,
  { host, workspaceId }: Proof,
  days: number,
): Promise<void> {
  const ended = kysely
    .deleteFrom("domainProofs")
    .where("host", "=", host)
    .where("workspaceId", "=", workspaceId)
    .where("lostAt", "<=", sql<Date>`now() - ${sql.lit(`${days} days`)}::interval`)
  const { numDeletedRows } = await ended.executeTakeFirst()
  if (numDeletedRows > 0n) return
  const proof = kysely
    .updateTable("domainProofs")
    .where("host", "=", host)
    .where("workspaceId", "=", workspaceId)
  await proof.set({ checkedAt: sql<Date>`now()` }).execute()
  await proof.set({ lostAt: sql<Date>`now()` }).where("lostAt", "is", null).execute()
}

/** Notes that a proof was looked at, but its name servers did not answer. */
export async function notePostponed({ kysely }: Source, { host, workspaceId }: Proof) {
  await kysely
    .updateTable("domainProofs")
    .set({ checkedAt: sql<Date>`now()` })
    .where("host", "=", host)
    .where("workspaceId", "=", workspaceId)
    .execute()
}

/** Deletes the proofs of a workspace for hosts that none of its bots names, so that it has no more than bots. */
export async function deleteUnnamedProofs({ kysely }: Source, workspaceId: string): Promise<void> {
  const host = sql<string>`lower(rtrim(split_part(custom_domain, '/', 1), '.'))`.as("host")
  const named = await kysely
    .selectFrom("bots")
    .select(host)
    .distinct()
    .where("workspaceId", "=", workspaceId)
    .where("customDomain", "is not", null)
    .execute()
  await kysely
    .deleteFrom("domainProofs")
    .where("workspaceId", "=", workspaceId)
    .where(sql<boolean>`host <> all(${named.map((each) => each.host)})`)
    .execute()
}

/** The workspace that has a host; undefined: none does. */
export async function findHolder({ kysely }: Source, host: string): Promise<string | undefined> {
  const row = await kysely
    .selectFrom("domainProofs")
    .select("workspaceId")
    .where("host", "=", host)
    .orderBy("provenAt", "desc")
    .executeTakeFirst()
  return row?.workspaceId
}

/** Deletes a proof. */
export async function deleteProof({ kysely }: Source, { host, workspaceId }: Proof): Promise<void> {
  await kysely
    .deleteFrom("domainProofs")
    .where("host", "=", host)
    .where("workspaceId", "=", workspaceId)
    .execute()
}

/** Lists the proofs that were not looked at since a moment, the oldest first. */
export async function listDueProofs(
  { kysely }: Source,
  { before, limit }: { before: Date; limit: number },
): Promise<Proof[]> {
  return await kysely
    .selectFrom("domainProofs")
    .select(["host", "workspaceId"])
    .where("checkedAt", "<", before)
    .orderBy("checkedAt")
    .limit(limit)
    .execute()
}
