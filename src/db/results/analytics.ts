/** Counts what the results of bots hold: for one bot when it is asked, and ahead, day by day. */
import { sql } from "kysely"
import { flowOfMark } from "../../engine/analytics/recorded.ts"
import { isUuid, resultIdOfSession, timeOfUuid } from "../../ids.ts"
import type { Db, Source } from "../connection/open.ts"
import type { StoredCounts } from "../schema/countTables.ts"
import type { ResultRange } from "./purge.ts"

/** What the results of one version of a bot from one quarter of an hour hold. */
export type QuarterCounts = {
  botId: string
  /** Quarters of an hour since 1970. */
  quarter: number
  versionId: string
  counts: StoredCounts
}

/** Milliseconds of a quarter of an hour. */
export const quarterMs = 900_000

/** Which results to count, and by what to tell choices and running chats. */
export type CountRequest = ResultRange & {
  /** Absent: those of all bots. */
  botId?: string | undefined
  /** Types of blocks whose answers are counted one by one. */
  choiceTypes: readonly string[]
  /** Chats without a turn since then are over, unless they have an expiry of their own. */
  openSince: Date
}

type Place = Omit<QuarterCounts, "counts">

/** Counts results as they are now, one query per part; archived ones do not count. */
export async function countQuarters(db: Db, request: CountRequest): Promise<QuarterCounts[]> {
  const found = new Map<string, QuarterCounts>()
  const at = ({ botId, quarter, versionId }: Place): StoredCounts => {
    const key = `${botId} ${quarter} ${versionId}`
    const known = found.get(key) ?? { botId, quarter, versionId, counts: noCounts() }
    found.set(key, known)
    return known.counts
  }
  for (const row of await countStarts(db, request)) {
    Object.assign(at(row), { starts: row.starts, completions: row.completions })
  }
  if (found.size === 0) return []
  for (const row of await countMarks(db, request)) at(row).marks[row.mark] = row.count
  const versionIds = versionsRun([...found.values()])
  const choices = await listChoices(db, { versionIds, types: request.choiceTypes })
  for (const row of await countAnswers(db, request, choices)) {
    const { answers, choices } = at(row)
    answers[row.block] = (answers[row.block] ?? 0) + row.count
    if (row.value !== null) {
      const values = choices[row.block] ?? (Object.create(null) as Record<string, number>)
      values[row.value] = (values[row.value] ?? 0) + row.count
      choices[row.block] = values
    }
  }
  for (const row of await countSeconds(db, request)) at(row).seconds[row.seconds] = row.count
  for (const row of await listOpen(db, request)) {
    const { open } = at(row)
    const where = `${row.running} ${row.block}`
    open[where] = (open[where] ?? 0) + row.count
  }
  return [...found.values()]
}

/** The versions that results began with, and those that marks name: linked bots, later chats. */
export function versionsRun(counts: readonly QuarterCounts[]): string[] {
  const ids = counts.flatMap(({ versionId, counts: { marks } }) => [
    versionId,
    ...Object.keys(marks).flatMap((mark) => flowOfMark(mark) ?? []),
  ])
  return [...new Set(ids)].filter(isUuid)
}

function noCounts(): StoredCounts {
  // Without prototypes: blocks and answers may be called anything.
  const empty = () => Object.create(null) as Record<string, number>
  return {
    starts: 0,
    completions: 0,
    seconds: empty(),
    answers: empty(),
    choices: Object.create(null) as StoredCounts["choices"],
    marks: empty(),
    open: empty(),
  }
}

// The first 48 bits of an id are its milliseconds (RFC 9562, 5.7).
const quarterOf = sql`(('x' || replace(left(r.result_id::text, 13), '-', ''))::bit(48)::bigint
  / ${sql.lit(quarterMs)})::int`
const place = sql`r.bot_id as "botId", r.version_id as "versionId", ${quarterOf} as quarter`

function within({ botId, fromId, beforeId }: CountRequest) {
  const range = sql`r.result_id >= ${fromId}::uuid and r.result_id < ${beforeId}::uuid
    and not r.is_archived`
  return botId === undefined ? range : sql`r.bot_id = ${botId} and ${range}`
}

async function countStarts(db: Db, request: CountRequest) {
  const { rows } = await sql<Place & { starts: number; completions: number }>`
    select ${place}, count(*) as starts, count(*) filter (where r.is_completed) as completions
    from results r where ${within(request)} group by 1, 2, 3`.execute(db.kysely)
  return rows
}

async function listChoices(
  db: Db,
  { versionIds, types }: { versionIds: readonly string[]; types: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct block->>'id' as id
    from bot_versions v, jsonb_path_query(v.payload, '$.groups[*].blocks[*]') as blocks (block)
    where v.id = any(${[...versionIds]}::uuid[]) and block->>'type' = any(${[...types]}::text[])
    `.execute(db.kysely)
  return rows.map(({ id }) => id)
}

async function countAnswers(db: Db, request: CountRequest, choices: readonly string[]) {
  const { rows } = await sql<Place & { block: string; value: string | null; count: number }>`
    select ${place}, a.block_id as block,
      case when a.block_id = any(${[...choices]}::text[]) then a.content end as value,
      count(*) as count
    from results r join answers a on a.result_id = r.result_id
    where ${within(request)} group by 1, 2, 3, 4, 5`.execute(db.kysely)
  return rows
}

async function countMarks(db: Db, request: CountRequest) {
  const { rows } = await sql<Place & { mark: string; count: number }>`
    select ${place}, mark, count(*) as count
    from results r join result_steps s on s.result_id = r.result_id, unnest(s.edge_ids) as mark
    where ${within(request)} group by 1, 2, 3, 4`.execute(db.kysely)
  return rows
}

async function countSeconds(db: Db, request: CountRequest) {
  const { rows } = await sql<Place & { seconds: number; count: number }>`
    select "botId", "versionId", quarter, seconds, count(*) as count from (
      select ${place}, floor(extract(epoch from max(a.created_at) - r.created_at))::int as seconds
      from results r join answers a on a.result_id = r.result_id
      where ${within(request)} and r.is_completed
      group by r.result_id, r.bot_id, r.version_id, r.created_at
    ) as each group by 1, 2, 3, 4`.execute(db.kysely)
  return rows
}

type OpenChats = Place & { running: string; block: string; count: number }

const runningVersion = sql`s.state::json->'queue'->0->>'version'`
const runningResult = sql`s.state::json->'queue'->0->>'resultId'`
const waitingBlock = sql`s.state::json->>'at'`
const isOpen = ({ openSince }: CountRequest) => sql`${waitingBlock} is not null
  and case when s.expires_at is null then s.updated_at >= ${openSince}
    else s.expires_at >= now() end`

/** A chat counts with the result of the bot that waits in it. */
async function listOpen(db: Db, request: CountRequest): Promise<OpenChats[]> {
  const { rows } = await sql<OpenChats>`
    select ${place}, ${runningVersion} as running, ${waitingBlock} as block, count(*) as count
    from results r join chat_sessions s on s.result_id = r.result_id
    where ${within(request)} and ${isOpen(request)} and ${runningResult} = r.result_id::text
    group by 1, 2, 3, 4, 5`.execute(db.kysely)
  return [...rows, ...(await listOpenElsewhere(db, request))]
}

const sessionsAtOnce = 5_000

/**
 * Chats that wait in a linked bot with a result of its own, whose session is that of another result.
 * In two steps, because a cluster joins the tables of chats by their results alone.
 */
async function listOpenElsewhere(db: Db, request: CountRequest): Promise<OpenChats[]> {
  const { rows: results } = await sql<Place & { resultId: string; sessionId: string }>`
    select ${place}, r.result_id, r.last_chat_session_id as session_id from results r
    where ${within(request)} and not r.is_completed
      and left(r.last_chat_session_id, 32) <> replace(r.result_id::text, '-', '')
    `.execute(db.kysely)
  const found: OpenChats[] = []
  for (let start = 0; start < results.length; start += sessionsAtOnce) {
    const some = new Map(
      results.slice(start, start + sessionsAtOnce).map((row) => [row.resultId, row]),
    )
    const ids = [...some.values()].map(({ sessionId }) => sessionId)
    const owners = ids.flatMap((id) => resultIdOfSession(id) ?? [])
    const { rows } = await sql<{ resultId: string; running: string; block: string }>`
      select ${runningResult} as result_id, ${runningVersion} as running, ${waitingBlock} as block
      from chat_sessions s
      where s.result_id = any(${owners}::uuid[]) and s.id = any(${ids}::text[])
        and ${isOpen(request)}`.execute(db.kysely)
    for (const { resultId, ...where } of rows) {
      const row = some.get(resultId)
      if (row) found.push({ ...row, ...where, count: 1 })
    }
  }
  return found
}

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
      const all = await listDays({ kysely })
      const counts = await kysely
        .selectFrom("analyticsCounts")
        .selectAll()
        .where("botId", "=", botId)
        .where("quarter", ">=", from)
        .where("quarter", "<", before)
        .execute()
      const days = new Set(all.flatMap(({ day, countedAt }) => (countedAt ? [day] : [])))
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

const rowsAtOnce = 500
const quartersOfDay = 96

/** Stores the counts of a day in place of those before, unless it was forgotten meanwhile. */
export async function saveDay(
  db: Db,
  { day, countId, counts }: { day: string; countId: string; counts: readonly QuarterCounts[] },
): Promise<void> {
  const first = Date.parse(day) / quarterMs
  await db.kysely.transaction().execute(async (kysely) => {
    const { numUpdatedRows } = await kysely
      .updateTable("analyticsDays")
      .set({ countedAt: sql<Date>`now()` })
      .where("day", "=", day)
      .where("countId", "=", countId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await kysely
      .deleteFrom("analyticsCounts")
      .where("quarter", ">=", first)
      .where("quarter", "<", first + quartersOfDay)
      .execute()
    for (let start = 0; start < counts.length; start += rowsAtOnce) {
      const rows = counts.slice(start, start + rowsAtOnce)
      const values = rows.map(({ counts, ...row }) => ({ ...row, counts: JSON.stringify(counts) }))
      await kysely.insertInto("analyticsCounts").values(values).execute()
    }
  })
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
