/** Stores how many chats workspaces have had in a month, and which of them are closed to new ones. */
import { type ExpressionBuilder, type InferResult, sql, type UpdateObject } from "kysely"
import { failureOf } from "../connection/databaseFailures.ts"
import { readAnswering } from "../connection/nodes.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import { anyText } from "../schema/anyOf.ts"
import type { Database, Row } from "../schema/tables.ts"
import type { ResultRange } from "./resultAddress.ts"

/** Chats by workspace; not whole: those on nodes of a cluster that do not answer are missing. */
type ChatCounts = { chats: Map<string, number>; isWhole: boolean }

/** Counts started chats by workspace, archived ones too, in one walk along the ids. */
export async function countChats(db: Db, range: ResultRange): Promise<ChatCounts> {
  const { fromId, beforeId } = range
  try {
    const { rows } = await sql<{ workspaceId: string; chats: number }>`
      select b.workspace_id as "workspaceId", count(*) as chats
      from results r join bots b on b.id = r.bot_id
      where r.result_id >= ${fromId}::uuid and r.result_id < ${beforeId}::uuid and r.has_started
      group by b.workspace_id`.execute(db.kysely)
    return { chats: sumsOf(rows), isWhole: true }
  } catch (error) {
    if (failureOf(error) !== "partial") throw error
    return { chats: await countAnswering(db, range), isWhole: false }
  }
}

async function countAnswering(
  db: Db,
  { fromId, beforeId }: ResultRange,
): Promise<Map<string, number>> {
  const counts = await readAnswering<{ botId: string; chats: number }>(
    db,
    ["results"],
    `select bot_id as "botId", count(*) as chats from %1$s
    where result_id >= '${fromId}' and result_id < '${beforeId}' and has_started group by bot_id`,
  )
  const botIds = [...new Set(counts.map(({ botId }) => botId))]
  const bots = await db.kysely
    .selectFrom("bots")
    .select(["id", "workspaceId"])
    .where("id", "=", anyText(botIds))
    .execute()
  const owners = new Map(bots.map(({ id, workspaceId }) => [id, workspaceId]))
  return sumsOf(
    counts.flatMap(({ botId, chats }) => {
      const workspaceId = owners.get(botId)
      return workspaceId === undefined ? [] : [{ workspaceId, chats }]
    }),
  )
}

function sumsOf(counts: readonly { workspaceId: string; chats: number }[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { workspaceId, chats } of counts) {
    sums.set(workspaceId, (sums.get(workspaceId) ?? 0) + chats)
  }
  return sums
}

/** The chats of one hour. */
export type HourRow = Row<"usageHours">

/** Lists the hours of a period that were counted. */
export async function listHours(db: Db, { startMs, endMs }: { startMs: number; endMs: number }) {
  return await db.kysely
    .selectFrom("usageHours")
    .selectAll()
    .where("hour", ">=", new Date(startMs))
    .where("hour", "<", new Date(endMs))
    .execute()
}

/** Stores the counts of hours, replacing earlier ones. */
export async function saveHours(db: Db, hours: readonly HourRow[]): Promise<void> {
  if (hours.length === 0) return
  await db.kysely
    .insertInto("usageHours")
    .values(hours.map(({ chats, ...row }) => ({ ...row, chats: JSON.stringify(chats) })))
    .onConflict((conflict) =>
      conflict.column("hour").doUpdateSet(({ ref }) => ({
        fromId: ref("excluded.fromId"),
        chats: ref("excluded.chats"),
        countedAt: ref("excluded.countedAt"),
      })),
    )
    .execute()
}

/** Finds up to where the chats of a month are settled. Returns undefined when nothing is yet. */
export async function findWatermark(db: Source, periodStart: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("workspaceUsage")
    .select("watermark")
    .where("periodStart", "=", periodStart)
    .where("watermark", "is not", null)
    .orderBy("watermark", "desc")
    .limit(1)
    .executeTakeFirst()
  return row?.watermark ?? undefined
}

/** The outcome of a count. */
type CountToSave = {
  /** `YYYY-MM-01`. */
  periodStart: string
  /**
   * The watermark that it started from, if any; if another count has moved it, this one is void.
   */
  from: string | undefined
  /** The new one: results below it are never counted again. */
  watermark: string
  /** Chats up to the new watermark that were not settled before, and all from the old one on. */
  counts: readonly { workspaceId: string; settled: number; chats: number }[]
}

/** Stores a count as a whole. Returns false when another process has counted meanwhile. */
export async function saveCount(db: Db, count: CountToSave): Promise<boolean> {
  const { periodStart, from, watermark, counts } = count
  return await inTransaction(db, async (kysely) => {
    const found = await findWatermark({ kysely }, periodStart)
    if (found !== from) return false
    await kysely
      .updateTable("workspaceUsage")
      .set({ chats: sql<number>`settled`, watermark, updatedAt: sql<Date>`now()` })
      .where("periodStart", "=", periodStart)
      .execute()
    await sql`insert into workspace_usage (workspace_id, period_start, chats, settled, watermark)
      select w.id, ${periodStart}::date, c.chats, c.settled, ${watermark}::uuid
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
        as c ("workspaceId" text, chats int, settled int)
      join workspaces w on w.id = c."workspaceId"
      on conflict (workspace_id, period_start) do update set
        chats = workspace_usage.settled + excluded.chats,
        settled = workspace_usage.settled + excluded.settled`.execute(kysely)
    await kysely
      .deleteFrom("usageHours")
      .where("hour", ">=", new Date(periodStart))
      .where("fromId", "<", watermark)
      .execute()
    return true
  })
}

/** A workspace, and the month that starts then. */
type MonthOf = Pick<Row<"workspaceUsage">, "workspaceId" | "periodStart">

/** The facts that decide whether a workspace may start chats. */
export type QuotaFacts = InferResult<ReturnType<typeof quotaFacts>>[number]

/** Lists the workspaces that have chats this month, or a quarantine. */
export async function listQuotaFacts(db: Db, periodStart: string) {
  return await quotaFacts(db, periodStart)
    .where((eb) => eb.or([eb("u.chats", ">", 0), eb("w.isQuarantined", "=", true)]))
    .orderBy("w.id")
    .execute()
}

/** Finds the facts of one workspace. Returns undefined when it is gone. */
export async function findQuotaFacts(db: Source, { workspaceId, periodStart }: MonthOf) {
  return await quotaFacts(db, periodStart).where("w.id", "=", workspaceId).executeTakeFirst()
}

/** The query of the facts of workspaces, with their chats of one month. */
export function quotaFacts(db: Source, periodStart: string) {
  return db.kysely
    .selectFrom("workspaces as w")
    .leftJoin("workspaceUsage as u", (join) =>
      join.onRef("u.workspaceId", "=", "w.id").on("u.periodStart", "=", periodStart),
    )
    .select([
      "w.id as workspaceId",
      "w.plan",
      // Null or 0: the limit of the plan.
      "w.customChatsLimit",
      "w.chatsHardLimit",
      "w.isPastDue",
      "w.isQuarantined",
      // When the warnings went out that most, and that all of the limit is used; null: not yet.
      "w.quotaFirstEmailSentAt",
      "w.quotaSecondEmailSentAt",
      sql<number>`coalesce(u.chats, 0)`.as("chats"),
      // Whether a count set the quarantine, rather than an operator.
      sql<boolean>`exists (select from workspace_usage q
        where q.workspace_id = w.id and q.quarantined_at is not null)`.as("isCounted"),
    ])
}

/** Closes a workspace to new chats because it has had too many this month, or opens it again. */
export async function setQuarantine(
  locked: Source,
  { workspaceId, periodStart }: MonthOf,
  isQuarantined: boolean,
): Promise<void> {
  await changeWorkspace(locked, workspaceId, { isQuarantined })
  if (!isQuarantined) {
    await locked.kysely
      .updateTable("workspaceUsage")
      .set({ quarantinedAt: null })
      .where("workspaceId", "=", workspaceId)
      .where("quarantinedAt", "is not", null)
      .execute()
    return
  }
  // A limit of 0 closes one that has had no chat.
  await locked.kysely
    .insertInto("workspaceUsage")
    .values({ workspaceId, periodStart, quarantinedAt: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(["workspaceId", "periodStart"])
        .doUpdateSet(({ ref }) => ({ quarantinedAt: ref("excluded.quarantinedAt") })),
    )
    .execute()
}

/** When a workspace was warned that most, or all of its limit is used. */
export type QuotaNotice = "quotaFirstEmailSentAt" | "quotaSecondEmailSentAt"

/** Records that a workspace was warned how much of its limit is used. */
export async function recordQuotaNotice(db: Db, workspaceId: string, notice: QuotaNotice) {
  await changeWorkspace(db, workspaceId, { [notice]: sql<Date>`now()` })
}

/** Changes what the service and its operator decide about a workspace. */
export async function changeWorkspace(
  { kysely }: Source,
  id: string,
  changes: UpdateObject<Database, "workspaces">,
): Promise<void> {
  await kysely.updateTable("workspaces").set(changes).where("id", "=", id).execute()
}

/** Purges the warnings of earlier months. */
export async function purgeQuotaNotices(db: Db, before: Date): Promise<void> {
  const isOld = (eb: ExpressionBuilder<Database, "workspaces">) =>
    eb.or([eb("quotaFirstEmailSentAt", "<", before), eb("quotaSecondEmailSentAt", "<", before)])
  // Asked before, because a change of a copied table needs every node of a cluster, also of no row.
  const found = await db.kysely
    .selectFrom("workspaces")
    .select("id")
    .where(isOld)
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) return
  await db.kysely
    .updateTable("workspaces")
    .set({ quotaFirstEmailSentAt: null, quotaSecondEmailSentAt: null })
    .where(isOld)
    .execute()
}
