/** Lists the results of a bot page by page, by filters. */
import { sql } from "kysely"
import { callerLeft } from "../../errors.ts"
import { mostBytes } from "../../pageOfAnswer.ts"
import { restAfter } from "../../stepOfWork.ts"
import type { Db } from "../connection/open.ts"
import { anyUuid } from "../schema/anyOf.ts"
import type { Row } from "../schema/tables.ts"
import { anyCase } from "./anyCase.ts"
import { measurePage, type ResultSize } from "./contents.ts"

/** A recorded conversation. */
export type StoredResult = Row<"results">

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

/** A page of results. */
type ResultPage = {
  results: StoredResult[]
  /** By their ids. */
  sizes: ReadonlyMap<string, ResultSize>
  /** Where the next page begins; absent: this is the last one. */
  next: string | undefined
  /** Milliseconds of rests between its statements. */
  restedMs: number
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
  // One more than the page, to learn whether there is a next one.
  const bounds = { startAt, limit: limit + 1 }
  const { ids, end: lookedTo, restedMs = 0 } = await listIds(db, filter, bounds)
  const wanted = ids.slice(0, limit)
  const sizes = await measurePage(db, wanted)
  let bytes = 0
  const end = wanted.findIndex((id, place) => {
    bytes += sizes.get(id)?.bytes ?? mostBytes
    return place > 0 && bytes > mostBytes
  })
  const fitting = end === -1 ? wanted : wanted.slice(0, end)
  for (const id of wanted.slice(fitting.length)) sizes.delete(id)
  const results = await findResults(db, fitting)
  return { results, sizes, next: ids[fitting.length] ?? lookedTo, restedMs }
}

async function findResults(db: Db, resultIds: readonly string[]): Promise<StoredResult[]> {
  return await db.kysely
    .selectFrom("results")
    .selectAll()
    .where("resultId", "=", anyUuid(resultIds))
    .orderBy("resultId", "desc")
    .execute()
}

/** What a statement looks at. */
type Look = {
  /** The newest result that it does not look at; absent: it sees all of them. */
  end?: string | undefined
  /** The only results that it looks at; absent: all of the span. */
  among?: readonly string[]
}

/** What a page has found. */
type Listed = Pick<Look, "end"> & { ids: string[]; restedMs?: number }

async function listIds(db: Db, filter: ResultFilter, bounds: PageBounds): Promise<Listed> {
  const { conversationKey, versionId, isCompleted, search } = filter
  if (conversationKey !== undefined) {
    const look = await lookAtKey(db, { ...filter, conversationKey }, bounds.startAt)
    return { end: look.end, ids: await idsIn(db, filter, { ...bounds, ...look }) }
  }
  const isPlain = versionId === undefined && isCompleted === undefined && search === undefined
  return isPlain ? { ids: await idsIn(db, filter, bounds) } : await listInPieces(db, filter, bounds)
}

/**
 * How many results a page of a filter without an index looks at, and a statement of it, which takes
 * some milliseconds: what they are is read from the rows, a text is looked for in the answers of each.
 */
export const looksAt = {
  rows: { page: 50_000, piece: 2_000 },
  texts: { page: 10_000, piece: 250 },
} as const

async function listInPieces(
  db: Db,
  filter: ResultFilter,
  { startAt, limit }: PageBounds,
): Promise<Listed> {
  const { page, piece } = filter.search === undefined ? looksAt.rows : looksAt.texts
  const ids: string[] = []
  let looked = 0
  for await (const { end, restedMs, ...span } of pieces(db, filter, { startAt, piece })) {
    ids.push(...(await idsIn(db, filter, { ...span, limit: limit - ids.length, end })))
    looked += piece
    if (end === undefined || ids.length >= limit || looked >= page) return { ids, end, restedMs }
  }
  return { ids }
}

/** Some results that follow each other, and how many milliseconds passed in rests before them. */
type Span = Pick<PageBounds, "startAt"> & Pick<Look, "end"> & { restedMs: number }

/** Goes through the results of a filter's times, newest first; rests after what each piece took. */
async function* pieces(
  db: Db,
  filter: ResultFilter,
  { startAt, piece }: Pick<PageBounds, "startAt"> & { piece: number },
): AsyncGenerator<Span, void> {
  let restedMs = 0
  for (let from = startAt; ; ) {
    const startedAt = performance.now()
    const end = await findEnd(db, filter, { startAt: from, piece })
    yield { startAt: from, end, restedMs }
    if (end === undefined) return
    restedMs += await restAfter(performance.now() - startedAt)
    from = end
  }
}

/** The newest result after a piece; undefined: it is the last one. */
async function findEnd(
  db: Db,
  filter: ResultFilter,
  { startAt, piece }: Pick<PageBounds, "startAt"> & { piece: number },
): Promise<string | undefined> {
  const row = await inSpan(db, filter, startAt)
    .select("resultId")
    .orderBy("resultId", "desc")
    .offset(piece)
    .limit(1)
    .executeTakeFirst()
  return row?.resultId
}

async function idsIn(db: Db, filter: ResultFilter, bounds: PageBounds & Look): Promise<string[]> {
  const rows = await resultsListed(db, filter, bounds).execute()
  return rows.map(({ resultId }) => resultId)
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
  if (among) query = query.where("resultId", "=", anyUuid(among))
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
    .limit(looksAt.texts.page + 1)
    .execute()
  const ids = rows.map(({ resultId }) => resultId)
  return { among: ids.slice(0, looksAt.texts.page), end: ids[looksAt.texts.page] }
}

/** As many versions as somebody publishes in years; each of them is read. */
const mostVersions = 1_000

/** The ids of the versions that the results of a span ran, the newest first. */
export async function listVersionsOf(
  db: Db,
  filter: ResultFilter,
  hasLeft?: () => boolean,
): Promise<string[]> {
  if (filter.versionId !== undefined) return [filter.versionId]
  const found = new Set<string>()
  const { piece } = looksAt.rows
  for await (const { startAt, end } of pieces(db, filter, { startAt: undefined, piece })) {
    if (hasLeft?.()) throw callerLeft()
    let query = inSpan(db, filter, startAt).select("versionId").distinct()
    if (end !== undefined) query = query.where("resultId", ">", end)
    for (const { versionId } of await query.execute()) found.add(versionId)
  }
  // UUIDv7, ordered by creation.
  return [...found].sort().reverse().slice(0, mostVersions)
}
