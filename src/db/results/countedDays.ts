/** Daily counts of results: stored ahead of requests, added up, and voided. */
import { sql } from "kysely"
import { timeOfUuid } from "../../lib/ids.ts"
import { maxBytes } from "../../lib/responseSize.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { anyText } from "../schema/anyOf.ts"
import type { Counts } from "../schema/countTables.ts"
import { quarterMs } from "./analytics.ts"
import { type Counted, parts, type VersionCounts } from "./counts.ts"
import type { ResultAddress } from "./resultAddress.ts"

/** A day, `YYYY-MM-DD` in UTC, and when it was counted; null: never yet. */
export type CountedDay = { day: string; countedAt: Date | null }

/** A day of one bot. */
export type BotDay = { botId: string; day: string }

/** Quarters of an hour in a day. */
export const quartersOfDay = 96

/** The day of a quarter of an hour since 1970, `YYYY-MM-DD` in UTC. */
export function dayOf(quarter: number): string {
  return new Date(quarter * quarterMs).toISOString().slice(0, 10)
}

/** Lists the days that were counted. */
export async function listDays({ kysely }: Source): Promise<CountedDay[]> {
  return await kysely.selectFrom("analyticsDays").select(["day", "countedAt"]).execute()
}

/** Which counts of a bot to add up. */
export type SumRequest = {
  botId: string
  /** The first quarter, and the first one after the last, of whole days in UTC. */
  from: number
  before: number
  /** The first quarters of the days by which to add up, ascending: those of a time zone. */
  dayStarts: readonly number[]
}

/** Adds up the counts of a bot over whole days. Also returns the days for which they are complete. */
export async function sumCounts(
  db: Db,
  { botId, from, before, dayStarts }: SumRequest,
): Promise<{ days: ReadonlySet<string>; rows: Counted[] }> {
  return await db.kysely
    .transaction()
    // A day may become void between the two.
    .setIsolationLevel("repeatable read")
    .execute(async (kysely) => {
      const found = await sql<{ day: string }>`
        select d.day::text from analytics_days d
        where d.day >= ${dayOf(from)}::date and d.day < ${dayOf(before)}::date
          and d.counted_at is not null and not exists (
            select from analytics_voids v where v.bot_id = ${botId} and v.day = d.day)
        `.execute(kysely)
      const days = found.rows.map(({ day }) => day)
      if (days.length === 0) return { days: new Set(), rows: [] }
      const { rows } = await sql<Counted>`
        with counted as materialized (
          select version_id, quarter, counts from analytics_counts
          where bot_id = ${botId} and quarter >= ${from} and quarter < ${before}
            and date '1970-01-01' + quarter / ${sql.lit(quartersOfDay)} = any(${days}::date[])
        ), sums as (
        ${sql.join([...parts.map((part) => sumOf(part, dayStarts)), sumOfChoices], sql` union all `)}
        )
        select ${botId} as "botId", version_id as "versionId", part, block, name, count from sums
        `.execute(kysely)
      return { days: new Set(days), rows }
    })
}

/** Parts whose names are quarters of an hour. */
const byQuarter: ReadonlySet<keyof Counts> = new Set([
  "startsAt",
  "completionsAt",
  "inputTokensAt",
  "outputTokensAt",
])

/** Early versions before 0.2.0 counted starts and completions only by the quarter of the row, under these names. */
const formerSums = { startsAt: "starts", completionsAt: "completions" } as const

function sumOf(part: (typeof parts)[number], dayStarts: readonly number[]) {
  if (!byQuarter.has(part)) {
    return sql`select version_id, ${sql.lit(part)} as part, null as block, key as name,
      sum(value::bigint)::float8 as count
      from counted, jsonb_each_text(counts->${sql.lit(part)}) group by 1, 4`
  }
  const starts = sql`${[...dayStarts]}::int[]`
  const former = part === "startsAt" || part === "completionsAt" ? formerSums[part] : undefined
  const stored = sql`counts->${sql.lit(part)}`
  const values =
    former === undefined
      ? stored
      : sql`coalesce(${stored}, jsonb_build_object(quarter, counts->${sql.lit(former)}))`
  return sql`select version_id, ${sql.lit(part)} as part, null as block,
    (${starts})[greatest(width_bucket(key::int, ${starts}), 1)]::text as name,
    sum(value::bigint)::float8 as count
    from counted, jsonb_each_text(${values}) group by 1, 4`
}

/** The commonest, as far as an answer may read: people may have chosen other texts every day. */
const sumOfChoices = sql`select version_id, 'choices', block, name, count from (
    select *, sum(length(name)) over (order by count desc, length(name), name, block, version_id
      rows unbounded preceding) as characters
    from (
      select version_id, asked.key as block, said.key as name, sum(said.value::int)::int as count
      from counted, jsonb_each(counts->'choices') asked, jsonb_each_text(asked.value) said
      group by 1, 2, 3
    ) as each
  ) as chosen where characters <= ${sql.lit(maxBytes)}`

/** Begins the count of a day for all bots. */
export async function beginDay(db: Db, day: { day: string; countId: string }): Promise<void> {
  await db.kysely
    .insertInto("analyticsDays")
    .values(day)
    .onConflict((conflict) =>
      conflict.column("day").doUpdateSet(({ ref }) => ({ countId: ref("excluded.countId") })),
    )
    .execute()
}

/** Marks a day as counted, unless another count of it has begun. */
export async function finishDay(
  { kysely }: Db,
  { day, countId }: { day: string; countId: string },
): Promise<void> {
  await kysely
    .updateTable("analyticsDays")
    .set({ countedAt: sql<Date>`now()` })
    .where("day", "=", day)
    .where("countId", "=", countId)
    .execute()
}

/** Lists the days of bots whose counts are void, of counted days, newest first. */
export async function listVoidDays({ kysely }: Source): Promise<BotDay[]> {
  return await kysely
    .selectFrom("analyticsVoids")
    .innerJoin("analyticsDays", "analyticsDays.day", "analyticsVoids.day")
    .select(["analyticsVoids.botId", "analyticsVoids.day"])
    .where("analyticsDays.countedAt", "is not", null)
    .orderBy("analyticsVoids.day", "desc")
    .orderBy("analyticsVoids.botId")
    .execute()
}

/** Makes a day void for some bots, which leaves counts that are under way alone. */
export async function addVoidDays({ kysely }: Db, botIds: readonly string[], day: string) {
  await sql`insert into analytics_voids (bot_id, day, count_id)
    select unnest(${[...botIds].sort()}::text[]), ${day}::date, gen_random_uuid()
    on conflict do nothing`.execute(kysely)
}

/** A count of a day for some bots. */
export type BotsDay = { botIds: readonly string[]; day: string; countId: string }

/**
 * Begins the count of a day for some bots, for which it is void until the last part is saved. A count of a
 * single bot continues one that was cut short: returns the first quarter of the parts that are stored.
 */
export async function beginBotsDay(
  db: Db,
  { botIds, day, countId }: BotsDay,
): Promise<number | undefined> {
  const [botId] = botIds
  return await db.kysely.transaction().execute(async (kysely) => {
    const former =
      botIds.length === 1 && botId !== undefined
        ? await kysely
            .selectFrom("analyticsVoids")
            .select("countId")
            .where("botId", "=", botId)
            .where("day", "=", day)
            .forUpdate()
            .executeTakeFirst()
        : undefined
    await sql`insert into analytics_voids (bot_id, day, count_id)
      select unnest(${[...botIds].sort()}::text[]), ${day}::date, ${countId}::uuid
      on conflict (bot_id, day) do update set count_id = excluded.count_id`.execute(kysely)
    const quarter = Date.parse(day) / quarterMs
    const ofDay = sql`bot_id = ${anyText(botIds)}
      and quarter >= ${quarter} and quarter < ${quarter + quartersOfDay}`
    // Under another id: what the one that was cut short may still save comes too late.
    const { rows: parts } = await sql<{ quarter: number }>`
      update analytics_counts
      set counts = jsonb_set(counts, '{countId}', to_jsonb(${countId}::text))
      where ${ofDay} and counts->>'countId' = ${former?.countId ?? null}
      returning quarter`.execute(kysely)
    await sql`delete from analytics_counts
      where ${ofDay} and counts->>'countId' is distinct from ${countId}`.execute(kysely)
    return parts.length === 0 ? undefined : Math.min(...parts.map((part) => part.quarter))
  })
}

/** A part of a day's counts: from a quarter on, up to the part that was saved before. */
export type DayPart = { from: number; all: readonly VersionCounts[] }

/**
 * Stores a part of the counts of a day for some bots, the latest first; with the one from the first quarter
 * of the day on, they hold. Bots whose results of that day were deleted since the count began, or that
 * another count has begun for, are left out: they stay void. Returns whether any others are there.
 */
export async function saveBotsDay(
  db: Db,
  { botIds, day, countId }: BotsDay,
  { from, all }: DayPart,
): Promise<boolean> {
  const isLast = from === Date.parse(day) / quarterMs
  return await db.kysely.transaction().execute(async (kysely) => {
    // In the order in which deletions write them: the two must not wait for each other.
    const settled = await kysely
      .selectFrom("analyticsVoids")
      .select("botId")
      .where("botId", "=", anyText(botIds))
      .where("day", "=", day)
      .where("countId", "=", countId)
      .orderBy("botId")
      .forUpdate()
      .execute()
    const ours = new Set(settled.map(({ botId }) => botId))
    if (ours.size === 0) return false
    if (isLast) {
      await kysely
        .deleteFrom("analyticsVoids")
        .where("botId", "=", anyText([...ours]))
        .where("day", "=", day)
        .execute()
    }
    const values = all
      .filter(({ botId }) => ours.has(botId))
      .map(({ botId, versionId, counts }) => ({
        ...{ botId, quarter: from, versionId },
        counts: JSON.stringify({ ...counts, countId }),
      }))
    for (let start = 0; start < values.length; start += rowsAtOnce) {
      const rows = values.slice(start, start + rowsAtOnce)
      await kysely.insertInto("analyticsCounts").values(rows).execute()
    }
    return true
  })
}

const rowsAtOnce = 500

/**
 * Voids and deletes the counts of the days of some results, each for its bot alone. To be called in the
 * transaction that deletes them, and after that: a count that began before does not know that they are gone.
 */
export async function voidDays({ kysely }: Source, results: readonly ResultAddress[]) {
  const days = new Map(
    results.map(({ botId, resultId }) => {
      const day = Math.floor(timeOfUuid(resultId) / (quartersOfDay * quarterMs))
      return [`${day} ${botId}`, { botId, day }] as const
    }),
  )
  if (days.size === 0) return
  // In one order: two calls must not wait for each other.
  const sorted = [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
  const botIds = sorted.map(({ botId }) => botId)
  const numbers = sorted.map(({ day }) => day)
  await sql`insert into analytics_voids (bot_id, day, count_id)
    select bot_id, date '1970-01-01' + day, gen_random_uuid()
    from unnest(${botIds}::text[], ${numbers}::int[]) as those (bot_id, day)
    on conflict (bot_id, day) do update set count_id = excluded.count_id`.execute(kysely)
  await sql`delete from analytics_counts c
    using unnest(${botIds}::text[], ${numbers}::int[]) as those (bot_id, day)
    where c.bot_id = those.bot_id and c.quarter >= those.day * ${sql.lit(quartersOfDay)}
      and c.quarter < (those.day + 1) * ${sql.lit(quartersOfDay)}`.execute(kysely)
}
