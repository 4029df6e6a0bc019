/** Counts the contents of results, part by part. */
import { sql } from "kysely"
import { resultIdOfSession } from "../../lib/ids.ts"
import type { Db } from "../connection/openDatabase.ts"
import { anyText, anyUuid } from "../schema/anyOf.ts"
import type { Counted } from "./counts.ts"
import type { ResultRange } from "./resultAddress.ts"

/** Milliseconds of a quarter of an hour: time zones differ by whole ones. */
export const quarterMs = 900_000

/** Counts the results in a range by bot; archived ones do not count. */
export async function countByBot({ kysely }: Db, range: ResultRange) {
  return await kysely
    .selectFrom("results")
    .select(["botId", sql<number>`count(*)::int`.as("results")])
    .where("resultId", ">=", range.fromId)
    .where("resultId", "<", range.beforeId)
    .where(sql<boolean>`not is_archived`)
    .groupBy("botId")
    .execute()
}

/** Lists the results of some bots in a range by their ids, newest first; archived ones do not count. */
export async function listResultIds(
  { kysely }: Db,
  { botIds, fromId, beforeId, limit }: ResultRange & { botIds: readonly string[]; limit: number },
): Promise<string[]> {
  const [one] = botIds
  const rows = await kysely
    .selectFrom("results")
    .select("resultId")
    // A single bot's results are read in their order, up to the limit.
    .where("botId", "=", botIds.length === 1 && one ? one : anyText(botIds))
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
    .where(sql<boolean>`not is_archived`)
    .orderBy("resultId", "desc")
    .limit(limit)
    .execute()
  return rows.map(({ resultId }) => resultId)
}

/** Lists the blocks of some versions that are of some types. */
export async function listBlocksOfTypes(
  db: Db,
  { versionIds, types }: { versionIds: readonly string[]; types: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct block->>'id' as id
    from bot_versions v, jsonb_path_query(v.payload, '$.groups[*].blocks[*]') as blocks (block)
    where v.id = ${anyUuid(versionIds)} and block->>'type' = ${anyText(types)}
    `.execute(db.kysely)
  return rows.map(({ id }) => id)
}

/** Some results, by their ids. */
type Ids = readonly string[]

const ofVersion = sql`r.bot_id as "botId", r.version_id as "versionId"`

/** Repeated for every table: given a span of ids, the planner may read the other tables from end to end. */
function within(table: "r" | "a" | "s", ids: Ids) {
  return sql`${sql.ref(`${table}.resultId`)} = ${anyUuid(ids)}`
}

/** The quarter of an hour in which a result began: the first 48 bits of an id are its milliseconds (RFC 9562, 5.7). */
const quarter = sql`(('x' || replace(left(r.result_id::text, 13), '-', ''))::bit(48)::bigint
    / ${sql.lit(quarterMs)})::text`

/** Counts results by the quarter of an hour in which they began, and completed ones. */
export async function countStarts(db: Db, ids: Ids): Promise<Counted[]> {
  type Row = { botId: string; versionId: string; name: string; starts: number; completions: number }
  const { rows } = await sql<Row>`
    select ${ofVersion}, ${quarter} as name, count(*) as starts,
      count(*) filter (where r.is_completed) as completions
    from results r where ${within("r", ids)} group by 1, 2, 3`.execute(db.kysely)
  return rows.flatMap(({ starts, completions, ...row }): Counted[] => [
    { ...row, part: "startsAt", count: starts },
    { ...row, part: "completionsAt", count: completions },
  ])
}

/** Counts answers by block. */
export async function countAnswers(db: Db, ids: Ids): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select ${ofVersion}, 'answers' as part, a.block_id as name, count(*) as count
    from results r join answers a on a.result_id = r.result_id and ${within("a", ids)}
    where ${within("r", ids)} group by 1, 2, 4`.execute(db.kysely)
  return rows
}

/**
 * Characters of different texts that one result may have chosen; the rarest and longest beyond do not count.
 * A chat may never end, and a flood of one must not crowd out the others.
 */
const maxChosen = 8_000

/** Counts the answers to some blocks. */
export async function countChosen(db: Db, ids: Ids, blocks: readonly string[]): Promise<Counted[]> {
  if (blocks.length === 0) return []
  const { rows } = await sql<Counted>`
    select "botId", "versionId", 'choices' as part, block, name, sum(count)::int as count from (
      select *, sum(length(name)) over (partition by result_id
        order by count desc, length(name), name, block rows unbounded preceding) as characters
      from (
        select ${ofVersion}, r.result_id, a.block_id as block, a.content as name, count(*) as count
        from results r join answers a on a.result_id = r.result_id and ${within("a", ids)}
          and a.block_id = ${anyText(blocks)}
        where ${within("r", ids)} group by 1, 2, 3, 4, 5
      ) as each
    ) as chosen where characters <= ${sql.lit(maxChosen)} group by 1, 2, 4, 5`.execute(db.kysely)
  return rows
}

/** Counts edges off the default path, and marks. */
export async function countMarks(db: Db, ids: Ids): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select ${ofVersion}, 'marks' as part, mark as name, count(*) as count
    from results r join result_steps s on s.result_id = r.result_id and ${within("s", ids)},
      unnest(s.edge_ids) as mark
    where ${within("r", ids)} group by 1, 2, 4`.execute(db.kysely)
  return rows
}

/** Calls of one model at one provider. `model` empty: unknown. */
export type ModelUseRow = {
  resultId: string
  provider: string
  model: string
  calls: number
  inputTokens: number
  outputTokens: number
}

/** A traced call of a model, beside the steps `s`: see `StoredCall`. */
const modelCall = sql`jsonb_array_elements(s.trace->'calls') as call`
const isModelCall = sql`jsonb_typeof(call->4) = 'array'`
const tokensOfCalls = sql`count(*)::float8 as calls,
  coalesce(sum((call->4->>2)::bigint), 0)::float8 as "inputTokens",
  coalesce(sum((call->4->>3)::bigint), 0)::float8 as "outputTokens"`

/** Lists the use of some results, by result, provider and model, in the order of their names. */
export async function listModelUse({ kysely }: Db, resultIds: Ids): Promise<ModelUseRow[]> {
  if (resultIds.length === 0) return []
  const { rows } = await sql<ModelUseRow>`
    select s.result_id as "resultId", call->4->>0 as provider, call->4->>1 as model, ${tokensOfCalls}
    from result_steps s, ${modelCall}
    where s.result_id = ${anyUuid(resultIds)} and ${isModelCall}
    group by 1, 2, 3 order by 2, 3`.execute(kysely)
  return rows
}

/** Counts calls of models and their tokens by block, and the tokens by the quarter of an hour in which results began. */
export async function countModelUse(db: Db, ids: Ids): Promise<Counted[]> {
  type Row = Pick<Counted, "botId" | "versionId"> &
    Omit<ModelUseRow, "resultId" | "provider" | "model"> & { name: string; quarter: string }
  const { rows } = await sql<Row>`
    select ${ofVersion}, call->>0 as name, ${quarter} as quarter, ${tokensOfCalls}
    from results r join result_steps s on s.result_id = r.result_id and ${within("s", ids)}, ${modelCall}
    where ${within("r", ids)} and ${isModelCall} group by 1, 2, 3, 4`.execute(db.kysely)
  return rows.flatMap(({ calls, inputTokens, outputTokens, quarter: at, ...row }): Counted[] => [
    { ...row, part: "modelCalls", count: calls },
    { ...row, part: "inputTokens", count: inputTokens },
    { ...row, part: "outputTokens", count: outputTokens },
    { ...row, part: "inputTokensAt", name: at, count: inputTokens },
    { ...row, part: "outputTokensAt", name: at, count: outputTokens },
  ])
}

/** Counts completed results by the seconds from their start to their last answer. */
export async function countSeconds(db: Db, ids: Ids): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select "botId", "versionId", 'seconds' as part, seconds::text as name, count(*) as count from (
      select ${ofVersion}, floor(extract(epoch from max(a.created_at) - r.created_at))::int as seconds
      from results r join answers a on a.result_id = r.result_id and ${within("a", ids)}
      where ${within("r", ids)} and r.is_completed
      group by r.result_id, r.bot_id, r.version_id, r.created_at
    ) as each group by 1, 2, 4`.execute(db.kysely)
  return rows
}

/** Read once per chat: each `->` would read the whole text again. */
const stateOf = sql`json_to_record(s.state::json) as state (at text, queue json)`
const waitsAt = sql`(state.queue->0->>'version') || ' ' || state.at`
const runningResult = sql`state.queue->0->>'resultId'`
const isOpen = (openSince: Date) => sql`state.at is not null
  and case when s.expires_at is null then s.updated_at >= ${openSince}
    else s.expires_at >= now() end`

/**
 * Counts chats that wait for an answer, each with the result of the bot that waits in it. Those without
 * a turn since then are over, unless they have an expiry of their own.
 */
export async function countOpen(db: Db, ids: Ids, openSince: Date): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select ${ofVersion}, 'open' as part, ${waitsAt} as name, count(*) as count
    from results r join chat_sessions s on s.result_id = r.result_id and ${within("s", ids)},
      ${stateOf}
    where ${within("r", ids)} and ${isOpen(openSince)} and ${runningResult} = r.result_id::text
    group by 1, 2, 4`.execute(db.kysely)
  return [...rows, ...(await listOpenElsewhere(db, ids, openSince))]
}

/**
 * Chats that wait in a linked bot with a result of its own, whose session is that of another result.
 * In two steps, because a cluster joins the tables of chats by their results alone.
 */
async function listOpenElsewhere(db: Db, ids: Ids, openSince: Date): Promise<Counted[]> {
  type Elsewhere = { botId: string; versionId: string; resultId: string; sessionId: string }
  const { rows: results } = await sql<Elsewhere>`
    select ${ofVersion}, r.result_id as "resultId", r.last_chat_session_id as "sessionId"
    from results r
    where ${within("r", ids)} and not r.is_completed
      and left(r.last_chat_session_id, 32) <> replace(r.result_id::text, '-', '')
    `.execute(db.kysely)
  if (results.length === 0) return []
  const byId = new Map(results.map((row) => [row.resultId, row]))
  const sessionIds = results.map(({ sessionId }) => sessionId)
  const owners = sessionIds.flatMap((id) => resultIdOfSession(id) ?? [])
  const { rows } = await sql<{ resultId: string; name: string }>`
    select ${runningResult} as "resultId", ${waitsAt} as name
    from chat_sessions s, ${stateOf}
    where s.result_id = ${anyUuid(owners)} and s.id = ${anyText(sessionIds)}
      and ${isOpen(openSince)}`.execute(db.kysely)
  return rows.flatMap(({ resultId, name }) => {
    const found = byId.get(resultId)
    if (!found) return []
    const { botId, versionId } = found
    return [{ botId, versionId, part: "open", name, count: 1 }]
  })
}
