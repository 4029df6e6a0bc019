/** What was counted of results ahead, day by day: stored, read, and forgotten again. */
import { sql } from "kysely"
import { timeOfUuid } from "../../ids.ts"
import type { Db, Source } from "../connection/open.ts"
import { type QuarterCounts, quarterMs } from "./analytics.ts"

/** A day, `YYYY-MM-DD` in UTC, and when it was counted; null: it is being counted. */
export type CountedDay = { day: string; countedAt: Date | null }

/** Lists the days that were counted. */
export async function listDays({ kysely }: Source): Promise<CountedDay[]> {
  return await kysely.selectFrom("analyticsDays").select(["day", "countedAt"]).execute()
}

/** The counts of a bot in whole quarters, and the days that they are complete for. */
export async function findCounts(
  db: Db,
  { botId, from, before }: { botId: string; from: number; before: number },
): Promise<{ days: ReadonlySet<string>; counts: QuarterCounts[] }> {
  return await db.kysely
    .transaction()
    // A day may be forgotten between the two.
    .setIsolationLevel("repeatable read")
    .execute(async (kysely) => {
      const counted = await kysely
        .selectFrom("analyticsDays")
        .select("day")
        .where("day", ">=", dayOf(from))
        .where("day", "<=", dayOf(before - 1))
        .where("countedAt", "is not", null)
        .execute()
      const counts = await kysely
        .selectFrom("analyticsCounts")
        .selectAll()
        .where("botId", "=", botId)
        .where("quarter", ">=", from)
        .where("quarter", "<", before)
        .execute()
      const days = new Set(counted.map(({ day }) => day))
      return { days, counts: counts.filter(({ quarter }) => days.has(dayOf(quarter))) }
    })
}

/** The day of a quarter, `YYYY-MM-DD` in UTC. */
export function dayOf(quarter: number): string {
  return new Date(quarter * quarterMs).toISOString().slice(0, 10)
}

/** Begins the count of a day; whoever forgets the day meanwhile makes it void. */
export async function beginDay(db: Db, day: { day: string; countId: string }): Promise<void> {
  await db.kysely
    .insertInto("analyticsDays")
    .values(day)
    .onConflict((conflict) =>
      conflict.column("day").doUpdateSet(({ ref }) => ({
        countId: ref("excluded.countId"),
        countedAt: ref("excluded.countedAt"),
      })),
    )
    .execute()
}

/** Part of a day's count: quarters from one to before another, and what they hold. */
export type DayPart = {
  day: string
  countId: string
  from: number
  before: number
  counts: readonly QuarterCounts[]
}

const rowsAtOnce = 500

/**
 * Stores part of a day's counts in place of those before. Returns false, with nothing done, when the
 * count is void: the day was forgotten meanwhile, or another count of it has begun.
 */
export async function savePart(db: Db, part: DayPart): Promise<boolean> {
  return await db.kysely.transaction().execute(async (kysely) => {
    const isOurs = await kysely
      .selectFrom("analyticsDays")
      .select("day")
      .where("day", "=", part.day)
      .where("countId", "=", part.countId)
      .forUpdate()
      .executeTakeFirst()
    if (!isOurs) return false
    await kysely
      .deleteFrom("analyticsCounts")
      .where("quarter", ">=", part.from)
      .where("quarter", "<", part.before)
      .execute()
    for (let start = 0; start < part.counts.length; start += rowsAtOnce) {
      const rows = part.counts.slice(start, start + rowsAtOnce)
      const values = rows.map(({ counts, ...row }) => ({ ...row, counts: JSON.stringify(counts) }))
      await kysely.insertInto("analyticsCounts").values(values).execute()
    }
    return true
  })
}

/** Says that all parts of a day are counted, unless the count is void. */
export async function finishDay(
  { kysely }: Db,
  { day, countId }: Pick<DayPart, "day" | "countId">,
): Promise<void> {
  await kysely
    .updateTable("analyticsDays")
    .set({ countedAt: sql<Date>`now()` })
    .where("day", "=", day)
    .where("countId", "=", countId)
    .execute()
}

/**
 * Forgets the counts of the days of some results, which are counted anew: after the results were
 * deleted, since a count that began before does not know of it.
 */
export async function forgetDays({ kysely }: Source, resultIds: readonly string[]): Promise<void> {
  const quarters = new Set(resultIds.map((id) => Math.floor(timeOfUuid(id) / quarterMs)))
  if (quarters.size === 0) return
  const days = [...new Set([...quarters].map(dayOf))]
  await kysely
    .deleteFrom("analyticsDays")
    .where("day", "=", sql<string>`any(${days}::date[])`)
    .execute()
  await kysely
    .deleteFrom("analyticsCounts")
    .where("quarter", "=", sql<number>`any(${[...quarters]}::int[])`)
    .execute()
}
