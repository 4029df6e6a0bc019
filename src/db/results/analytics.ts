/** Counts what the results of bots hold: for one bot when it is asked, and ahead, day by day. */
import { sql } from "kysely"
import { flowOfMark } from "../../engine/analytics/recorded.ts"
import { callerLeft } from "../../errors.ts"
import { isUuid, resultIdOfSession } from "../../ids.ts"
import { restAfter } from "../../stepOfWork.ts"
import type { Db } from "../connection/open.ts"
import type { StoredCounts } from "../schema/countTables.ts"
import type { ResultRange } from "./purge.ts"
import { addChoice, addCount, noCounts } from "./storedCounts.ts"

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
  /** Says that the caller has gone: then counting ends. */
  hasLeft?: (() => boolean) | undefined
}

type Place = Omit<QuarterCounts, "counts">

/** Most results of a piece: chats feel longer ones (`npm run bench numbers`), shorter ones cost more. */
const pieceSize = 250

/** Counts results as they are now, piece by piece, one query per part; archived ones do not count. */
export async function countQuarters(db: Db, request: CountRequest): Promise<QuarterCounts[]> {
  const count: Count = { quarters: new Map(), versionIds: new Set(), choices: new Set() }
  let { fromId } = request
  for (;;) {
    const startedAt = performance.now()
    const ids = await listIds(db, { ...request, fromId })
    const nextId = ids[pieceSize]
    if (ids.length > 0) await countPiece(db, { ...request, ids: ids.slice(0, pieceSize) }, count)
    if (nextId === undefined) return [...count.quarters.values()]
    await restAfter(performance.now() - startedAt)
    if (request.hasLeft?.()) throw callerLeft()
    fromId = nextId
  }
}

/** Results of a bot, or of all, by their ids. */
type Piece = Pick<CountRequest, "choiceTypes" | "openSince"> & { ids: readonly string[] }

/** What the pieces so far have counted. */
type Count = {
  quarters: Map<string, QuarterCounts>
  /** Versions whose choices are known. */
  versionIds: Set<string>
  /** Blocks whose answers are counted one by one. */
  choices: Set<string>
}

async function countPiece(db: Db, piece: Piece, found: Count): Promise<void> {
  const at = ({ botId, quarter, versionId }: Place): StoredCounts => {
    const key = `${botId} ${quarter} ${versionId}`
    const known = found.quarters.get(key) ?? { botId, quarter, versionId, counts: noCounts() }
    found.quarters.set(key, known)
    return known.counts
  }
  const starts = await countStarts(db, piece)
  for (const row of starts) {
    const counts = at(row)
    counts.starts += row.starts
    counts.completions += row.completions
  }
  const marks = await countMarks(db, piece)
  for (const row of marks) addCount(at(row).marks, row.mark, row.count)
  const flows = marks.flatMap(({ mark }) => flowOfMark(mark) ?? [])
  await learnChoices(
    db,
    { ...piece, versions: [...starts.map((row) => row.versionId), ...flows] },
    found,
  )
  for (const row of await countAnswers(db, piece, [...found.choices])) {
    const { block, value: content, count } = row
    const counts = at(row)
    addCount(counts.answers, block, count)
    if (content !== null) addChoice(counts, { block, content, count })
  }
  for (const row of await countSeconds(db, piece)) {
    addCount(at(row).seconds, String(row.seconds), row.count)
  }
  for (const row of await listOpen(db, piece)) {
    addCount(at(row).open, `${row.running} ${row.block}`, row.count)
  }
}

async function listIds(
  { kysely }: Db,
  { botId, fromId, beforeId }: CountRequest,
): Promise<string[]> {
  let query = kysely
    .selectFrom("results")
    .select("resultId")
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
    .where(sql<boolean>`not is_archived`)
    .orderBy("resultId")
    .limit(pieceSize + 1)
  if (botId !== undefined) query = query.where("botId", "=", botId)
  return (await query.execute()).map(({ resultId }) => resultId)
}

async function learnChoices(
  db: Db,
  { choiceTypes: types, versions }: Piece & { versions: readonly string[] },
  { versionIds: known, choices }: Count,
): Promise<void> {
  const versionIds = [...new Set(versions)].filter((id) => isUuid(id) && !known.has(id))
  if (versionIds.length === 0) return
  for (const id of await listChoices(db, { versionIds, types })) choices.add(id)
  for (const id of versionIds) known.add(id)
}

/** The versions that results began with, and those that marks name: linked bots, later chats. */
export function versionsRun(counts: readonly QuarterCounts[]): string[] {
  const ids = counts.flatMap(({ versionId, counts: { marks } }) => [
    versionId,
    ...Object.keys(marks).flatMap((mark) => flowOfMark(mark) ?? []),
  ])
  return [...new Set(ids)].filter(isUuid)
}

// The first 48 bits of an id are its milliseconds (RFC 9562, 5.7).
const quarterOf = sql`(('x' || replace(left(r.result_id::text, 13), '-', ''))::bit(48)::bigint
  / ${sql.lit(quarterMs)})::int`
const place = sql`r.bot_id as "botId", r.version_id as "versionId", ${quarterOf} as quarter`

/** Said of every table: by a span of ids the planner may read the others from end to end. */
function within(table: "r" | "a" | "s", { ids }: Piece) {
  return sql`${sql.ref(`${table}.resultId`)} = any(${[...ids]}::uuid[])`
}

async function countStarts(db: Db, piece: Piece) {
  const { rows } = await sql<Place & { starts: number; completions: number }>`
    select ${place}, count(*) as starts, count(*) filter (where r.is_completed) as completions
    from results r where ${within("r", piece)} group by 1, 2, 3`.execute(db.kysely)
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

async function countAnswers(db: Db, piece: Piece, choices: readonly string[]) {
  const { rows } = await sql<Place & { block: string; value: string | null; count: number }>`
    select ${place}, a.block_id as block,
      case when a.block_id = any(${[...choices]}::text[]) then a.content end as value,
      count(*) as count
    from results r join answers a on a.result_id = r.result_id and ${within("a", piece)}
    where ${within("r", piece)} group by 1, 2, 3, 4, 5`.execute(db.kysely)
  return rows
}

async function countMarks(db: Db, piece: Piece) {
  const { rows } = await sql<Place & { mark: string; count: number }>`
    select ${place}, mark, count(*) as count
    from results r join result_steps s on s.result_id = r.result_id and ${within("s", piece)},
      unnest(s.edge_ids) as mark
    where ${within("r", piece)} group by 1, 2, 3, 4`.execute(db.kysely)
  return rows
}

async function countSeconds(db: Db, piece: Piece) {
  const { rows } = await sql<Place & { seconds: number; count: number }>`
    select "botId", "versionId", quarter, seconds, count(*) as count from (
      select ${place}, floor(extract(epoch from max(a.created_at) - r.created_at))::int as seconds
      from results r join answers a on a.result_id = r.result_id and ${within("a", piece)}
      where ${within("r", piece)} and r.is_completed
      group by r.result_id, r.bot_id, r.version_id, r.created_at
    ) as each group by 1, 2, 3, 4`.execute(db.kysely)
  return rows
}

type OpenChats = Place & { running: string; block: string; count: number }

/** Read once per chat: each `->` would read the whole text again. */
const stateOf = sql`json_to_record(s.state::json) as state (at text, queue json)`
const runningVersion = sql`state.queue->0->>'version'`
const runningResult = sql`state.queue->0->>'resultId'`
const isOpen = ({ openSince }: Piece) => sql`state.at is not null
  and case when s.expires_at is null then s.updated_at >= ${openSince}
    else s.expires_at >= now() end`

/** A chat counts with the result of the bot that waits in it. */
async function listOpen(db: Db, piece: Piece): Promise<OpenChats[]> {
  const { rows } = await sql<OpenChats>`
    select ${place}, ${runningVersion} as running, state.at as block, count(*) as count
    from results r join chat_sessions s on s.result_id = r.result_id and ${within("s", piece)},
      ${stateOf}
    where ${within("r", piece)} and ${isOpen(piece)} and ${runningResult} = r.result_id::text
    group by 1, 2, 3, 4, 5`.execute(db.kysely)
  return [...rows, ...(await listOpenElsewhere(db, piece))]
}

/**
 * Chats that wait in a linked bot with a result of its own, whose session is that of another result.
 * In two steps, because a cluster joins the tables of chats by their results alone.
 */
async function listOpenElsewhere(db: Db, piece: Piece): Promise<OpenChats[]> {
  const { rows: results } = await sql<Place & { resultId: string; sessionId: string }>`
    select ${place}, r.result_id, r.last_chat_session_id as session_id from results r
    where ${within("r", piece)} and not r.is_completed
      and left(r.last_chat_session_id, 32) <> replace(r.result_id::text, '-', '')
    `.execute(db.kysely)
  if (results.length === 0) return []
  const byId = new Map(results.map((row) => [row.resultId, row]))
  const ids = results.map(({ sessionId }) => sessionId)
  const owners = ids.flatMap((id) => resultIdOfSession(id) ?? [])
  const { rows } = await sql<{ resultId: string; running: string; block: string }>`
    select ${runningResult} as result_id, ${runningVersion} as running, state.at as block
    from chat_sessions s, ${stateOf}
    where s.result_id = any(${owners}::uuid[]) and s.id = any(${ids}::text[])
      and ${isOpen(piece)}`.execute(db.kysely)
  return rows.flatMap(({ resultId, ...where }) => {
    const row = byId.get(resultId)
    return row ? [{ ...row, ...where, count: 1 }] : []
  })
}
