/** Lists the results of a bot page by page, by filters. */
import { type Selectable, sql } from "kysely"
import { groupBy } from "../../engine/groupBy.ts"
import type { Db } from "../connection/open.ts"
import type { AnswersTable, ResultsTable } from "../schema/hotTables.ts"
import { anyCase } from "./anyCase.ts"

/** A recorded conversation. */
export type StoredResult = Selectable<ResultsTable>

/** One of its answers. */
export type StoredAnswer = Pick<
  Selectable<AnswersTable>,
  "resultId" | "blockId" | "content" | "attachedFileUrls"
>

/** Which results of a bot to list; ids are UUIDv7, so they bound the time of creation. */
export type ResultFilter = {
  botId: string
  /** Only those with this id or a later one. */
  from?: string | undefined
  /** Only those with an earlier id. */
  before?: string | undefined
  /** Only those of chats that ran this version. */
  versionId?: string | undefined
  /** Only those whose chat has reached an end, or only those whose has not. */
  isCompleted?: boolean | undefined
  /** Only those of conversations under this key of the caller's own. */
  conversationKey?: string | undefined
  /** Only those with this text in an answer or in the value of a variable, in any case. */
  search?: string | undefined
}

/** Where a page begins and how long it is. */
type PageBounds = {
  /** The newest result on it; absent: the newest of all. */
  startAt?: string | undefined
  limit: number
}

/** What a result holds: how many answers, and bytes together with its variables. */
export type ResultSize = { answers: number; bytes: number }

/** A page of results. */
type ResultPage = {
  results: StoredResult[]
  /** By their ids. */
  sizes: ReadonlyMap<string, ResultSize>
  /** Where the next page begins; absent: this is the last one. */
  next: string | undefined
}

/**
 * Reads a page of the results that have answers and are not archived, newest first. A filter that has
 * no index looks at a bounded number of results: the page may then be short, or empty, with others to
 * follow.
 */
export async function readResultPage(
  db: Db,
  filter: ResultFilter,
  { startAt, limit }: PageBounds,
): Promise<ResultPage> {
  const look = await lookOf(db, filter, startAt)
  // One more than the page, to learn whether there is a next one.
  const rows = await resultsListed(db, filter, { startAt, limit: limit + 1, ...look }).execute()
  const ids = rows.map(({ resultId }) => resultId)
  const wanted = ids.slice(0, limit)
  const sizes = await measureResults(db, wanted)
  let bytes = 0
  const end = wanted.findIndex((id, place) => {
    bytes += sizes.get(id)?.bytes ?? 0
    return place > 0 && bytes > mostBytes
  })
  const fitting = end === -1 ? wanted : wanted.slice(0, end)
  for (const id of wanted.slice(fitting.length)) sizes.delete(id)
  const results = await findResults(db, fitting)
  return { results, sizes, next: ids[fitting.length] ?? look.end }
}

/** About what a page takes in memory, however much its results hold. */
const mostBytes = 16_000_000

/** Measures results, by their ids. */
export async function measureResults(
  db: Db,
  resultIds: readonly string[],
): Promise<Map<string, ResultSize>> {
  const { rows } = await sql<ResultSize & { id: string }>`
    select r.result_id as id, count(a.idx) as answers,
      (octet_length(r.variables::text) + coalesce(sum(octet_length(a.content)), 0))::float8 as bytes
    from results r left join answers a
      on a.result_id = r.result_id and a.result_id = any(${[...resultIds]}::uuid[])
    where r.result_id = any(${[...resultIds]}::uuid[])
    group by r.result_id`.execute(db.kysely)
  return new Map(rows.map(({ id, ...size }) => [id, size]))
}

async function findResults(db: Db, resultIds: readonly string[]): Promise<StoredResult[]> {
  return await db.kysely
    .selectFrom("results")
    .selectAll()
    .where("resultId", "=", sql<string>`any(${[...resultIds]}::uuid[])`)
    .orderBy("resultId", "desc")
    .execute()
}

/** What a page looks at. */
type Look = {
  /** The newest result that it does not look at; absent: it sees all of them. */
  end?: string | undefined
  /** The only results that it looks at; absent: all of the span. */
  among?: readonly string[]
}

/** The ids of a page, by the index `results_listed`. */
export function resultsListed(
  db: Db,
  filter: ResultFilter,
  { startAt, limit, end, among }: PageBounds & Look,
) {
  const { versionId, isCompleted, search } = filter
  let query = inSpan(db, filter, startAt)
    .select("resultId")
    .orderBy("resultId", "desc")
    .limit(limit)
  if (end !== undefined) query = query.where("resultId", ">", end)
  if (among) query = query.where("resultId", "=", sql<string>`any(${[...among]}::uuid[])`)
  if (versionId !== undefined) query = query.where("versionId", "=", versionId)
  if (isCompleted !== undefined) query = query.where("isCompleted", "=", isCompleted)
  if (search !== undefined) query = query.where(holds(search))
  return query
}

function inSpan(db: Db, { botId, from, before }: ResultFilter, startAt: string | undefined) {
  let query = db.kysely
    .selectFrom("results")
    .where("botId", "=", botId)
    // Written as in the index: the planner does not accept `= $n` as proof.
    .where(sql<boolean>`has_started and not is_archived`)
  if (startAt !== undefined) query = query.where("resultId", "<=", startAt)
  if (from !== undefined) query = query.where("resultId", ">=", from)
  if (before !== undefined) query = query.where("resultId", "<", before)
  return query
}

/**
 * Whether a result has a text in the value of a variable, or in an answer. Not by `exists`: the planner
 * may then look through the answers of all results once, instead of those of each.
 */
function holds(search: string) {
  const pattern = anyCase(search)
  return sql<boolean>`(
    exists (select from jsonb_path_query(results.variables, '$[*].value[*]') as value
      where value #>> '{}' ~ ${pattern})
    or (select bool_or(answers.content ~ ${pattern}) from answers
      where answers.result_id = results.result_id)
  )`
}

/**
 * How many results a page looks at: what they are is read from the rows themselves, a text is looked
 * for in the answers of each. Either takes about a tenth of a second.
 */
export const looksAt = { rows: 100_000, texts: 10_000 } as const

async function lookOf(db: Db, filter: ResultFilter, startAt: string | undefined): Promise<Look> {
  const { conversationKey, versionId, isCompleted, search } = filter
  if (conversationKey !== undefined)
    return await lookAtKey(db, { ...filter, conversationKey }, startAt)
  if (versionId === undefined && isCompleted === undefined && search === undefined) return {}
  const row = await inSpan(db, filter, startAt)
    .select("resultId")
    .orderBy("resultId", "desc")
    .offset(search === undefined ? looksAt.rows : looksAt.texts)
    .limit(1)
    .executeTakeFirst()
  return { end: row?.resultId }
}

const firstId = "00000000-0000-0000-0000-000000000000"
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

type KeyFilter = ResultFilter & { conversationKey: string }

/** The results of a key, by the index `keyed_results_key`. */
async function lookAtKey(
  { kysely }: Db,
  { botId, conversationKey, from = firstId, before = lastId }: KeyFilter,
  startAt = lastId,
): Promise<Look> {
  const rows = await kysely
    .selectFrom("keyedResults")
    .select("resultId")
    .where("botId", "=", botId)
    .where("key", "=", conversationKey)
    .where("resultId", "<=", startAt)
    .where("resultId", ">=", from)
    .where("resultId", "<", before)
    .orderBy("resultId", "desc")
    .limit(looksAt.texts + 1)
    .execute()
  const ids = rows.map(({ resultId }) => resultId)
  return { among: ids.slice(0, looksAt.texts), end: ids[looksAt.texts] }
}

/** As many versions as somebody publishes in years; each of them is read. */
const mostVersions = 1_000

/** The ids of the versions that the results of a span ran, the newest first. */
export async function listVersionsOf(db: Db, filter: ResultFilter): Promise<string[]> {
  let query = inSpan(db, filter, undefined).select("versionId").distinct()
  if (filter.versionId !== undefined) query = query.where("versionId", "=", filter.versionId)
  // UUIDv7, ordered by creation.
  const rows = await query.orderBy("versionId", "desc").limit(mostVersions).execute()
  return rows.map(({ versionId }) => versionId)
}

/** Anybody can give a bot that loops as many answers as they like. */
const mostAnswers = 10_000
/** What is left of each answer, at least, where those of one result are too long together. */
const leastCharacters = 200

/**
 * The answers of several results by result, in the order in which they were given. Where one result
 * has more than `mostBytes`, long answers are cut, and the last of very many are missing.
 */
export async function answersByResult(
  db: Db,
  sizes: ReadonlyMap<string, ResultSize>,
): Promise<Map<string, StoredAnswer[]>> {
  if (sizes.size === 0) return new Map()
  const isLarge = ({ answers, bytes }: ResultSize) => bytes > mostBytes || answers > mostAnswers
  const large = [...sizes].filter(([, size]) => isLarge(size))
  const others = [...sizes].filter(([, size]) => !isLarge(size)).map(([id]) => id)
  const answers = await answersOf(db, others).execute()
  for (const [id, { answers: count }] of large) {
    const most = Math.max(leastCharacters, Math.floor(mostBytes / 4 / Math.min(count, mostAnswers)))
    const rows = await answersOf(db, [id])
      .clearSelect()
      .select(["resultId", "blockId", "attachedFileUrls"])
      .select(
        sql<string>`case when length(content) > ${most}
        then left(content, ${most}) || '…' else content end`.as("content"),
      )
      .limit(mostAnswers)
      .execute()
    answers.push(...rows)
  }
  return groupBy(answers, ({ resultId }) => resultId)
}

function answersOf(db: Db, resultIds: readonly string[]) {
  return db.kysely
    .selectFrom("answers")
    .select(["resultId", "blockId", "content", "attachedFileUrls"])
    .where("resultId", "=", sql<string>`any(${[...resultIds]}::uuid[])`)
    .orderBy("resultId")
    .orderBy("idx")
}
