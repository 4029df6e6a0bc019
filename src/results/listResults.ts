/** Lists the results of a bot page by page, by filters. */
import type { Db } from "../db/connection/openDatabase.ts"
import { measureResults, type ResultSize } from "../db/results/contents.ts"
import {
  findEnd,
  findResults,
  type ListingBounds,
  listIds,
  listKeyedResults,
  listVersionsIn,
  type ResultFilter,
  type StoredResult,
} from "../db/results/listing.ts"
import { findByTexts, findTextsUntil } from "../db/results/resultTexts.ts"
import { callerLeft } from "../lib/errors.ts"
import { maxBytes } from "../lib/responseSize.ts"

type PageBounds = {
  /** The newest result on it; absent: the newest of all. */
  startAt?: string | undefined
  limit: number
  /** Approximate bytes that its results have together, unless a single one has more; absent: `maxBytes`. */
  most?: number
  /** Milliseconds on a clock that never goes back; absent: that of the process. */
  now?: () => number
}

type ResultPage = {
  results: StoredResult[]
  /** By their ids. */
  sizes: ReadonlyMap<string, ResultSize>
  /** The start of the next page; absent: this is the last one. */
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
  { startAt, limit, most = maxBytes, now = () => performance.now() }: PageBounds,
): Promise<ResultPage> {
  // One more than the page, to learn whether there is a next one.
  const bounds = { startAt, limit: limit + 1, now }
  const { ids, end: lookedTo } = await findPage(db, filter, bounds)
  const wanted = ids.slice(0, limit)
  const sizes = await measurePage(db, wanted, most)
  let bytes = 0
  const end = wanted.findIndex((id, place) => {
    bytes += sizes.get(id)?.bytes ?? most
    return place > 0 && bytes > most
  })
  const fitting = end === -1 ? wanted : wanted.slice(0, end)
  for (const id of wanted.slice(fitting.length)) sizes.delete(id)
  const results = await findResults(db, fitting)
  return { results, sizes, next: ids[fitting.length] ?? lookedTo }
}

/** How many results are measured first: measuring a value means reading it. */
const measuredFirst = 20

/** Measures results in the order of their ids until they have more than `most` bytes; the rest are missing. */
async function measurePage(db: Db, resultIds: readonly string[], most: number) {
  const sizes = new Map<string, ResultSize>()
  let bytes = 0
  for (let start = 0, count = measuredFirst; start < resultIds.length; count *= 2) {
    const ids = resultIds.slice(start, start + count)
    for (const [id, size] of await measureResults(db, ids)) {
      sizes.set(id, size)
      bytes += size.bytes
    }
    if (bytes > most) break
    start += count
  }
  return sizes
}

type LookedBounds = Pick<PageBounds, "startAt" | "limit"> & Required<Pick<PageBounds, "now">>

/** The ids that a page found, and the newest result not searched, if any. */
type Found = { ids: string[]; end?: string | undefined }

async function findPage(db: Db, filter: ResultFilter, bounds: LookedBounds): Promise<Found> {
  const { conversationKey: key, versionId, isCompleted, search } = filter
  if (key !== undefined) {
    const { least } = looksAt.texts
    const { startAt, limit } = bounds
    const keyed = await listKeyedResults(db, filter, { key, startAt, limit: least + 1 })
    const among = keyed.slice(0, least)
    return { end: keyed[least], ids: await listIds(db, filter, { startAt, limit, among }) }
  }
  const isPlain = versionId === undefined && isCompleted === undefined && search === undefined
  return isPlain
    ? { ids: await listIds(db, filter, { startAt: bounds.startAt, limit: bounds.limit }) }
    : await findInPieces(db, filter, bounds)
}

/**
 * How many results a page and each of its statements look at when a filter has no index; a statement
 * takes some milliseconds. Other filters read the rows of results, a search the answers of each result,
 * which may be long: after `least` results it goes on only as long as the page has taken little time.
 */
export const looksAt = {
  rows: { least: 50_000, page: 50_000, piece: 2_000 },
  texts: { least: 10_000, page: 50_000, piece: 1_000 },
} as const

/** After that time a page ends that has looked at enough. */
export const enoughMs = 500

async function findInPieces(db: Db, filter: ResultFilter, { startAt, limit, now }: LookedBounds) {
  const { search } = filter
  const { least, page, piece } = search === undefined ? looksAt.rows : looksAt.texts
  const enoughAt = now() + enoughMs
  const ids: string[] = []
  let looked = 0
  const pieces =
    search === undefined
      ? piecesOf(db, filter, { startAt, piece })
      : searchedPieces(db, { ...filter, search }, startAt)
  for await (const { end, ...span } of pieces) {
    ids.push(...(await listIds(db, filter, { ...span, limit: limit - ids.length, end })))
    looked += piece
    const isEnough = looked >= page || (looked >= least && now() >= enoughAt)
    if (end === undefined || ids.length >= limit || isEnough) return { ids, end }
  }
  return { ids }
}

/** A span of results that follow each other. */
type Piece = Pick<ListingBounds, "startAt" | "end" | "among">

/** The pieces of a search: of results whose texts are copied, only those whose copies have the words. */
async function* searchedPieces(
  db: Db,
  filter: ResultFilter & { search: string },
  startAt: string | undefined,
): AsyncGenerator<Piece, void> {
  const { piece } = looksAt.texts
  const until = await findTextsUntil(db)
  if (until === undefined || until < filter.fromId) {
    return yield* piecesOf(db, filter, { startAt, piece })
  }
  let from: string | undefined = startAt ?? filter.beforeId
  if (from > until) {
    for await (const each of piecesOf(db, { ...filter, fromId: until }, { startAt, piece })) {
      yield { ...each, end: each.end ?? until }
    }
    from = until
  }
  while (from !== undefined) {
    const found: Piece = await findByTexts(db, filter, { startAt: from, limit: piece })
    yield { startAt: from, ...found }
    from = found.end
  }
}

/** Splits the results in a filter's time span into pieces, newest first. */
async function* piecesOf(
  db: Db,
  filter: ResultFilter,
  { startAt, piece }: { startAt?: string | undefined; piece: number },
): AsyncGenerator<Piece, void> {
  for (let from = startAt; ; ) {
    const end = await findEnd(db, filter, { startAt: from, after: piece })
    yield { startAt: from, end }
    if (end === undefined) return
    from = end
  }
}

/** More versions than a bot has after years; each of them is read. */
const maxVersions = 1_000

/**
 * Lists the ids of the versions that the results in a span ran, newest first. `isBrief`: looks only at the
 * results that a page looks at.
 */
export async function listVersionsOf(
  db: Db,
  filter: ResultFilter,
  { hasLeft, isBrief = false }: { hasLeft?: (() => boolean) | undefined; isBrief?: boolean } = {},
): Promise<string[]> {
  if (filter.versionId !== undefined) return [filter.versionId]
  const found = new Set<string>()
  const { page, piece: rows } = looksAt.rows
  let looked = 0
  for await (const piece of piecesOf(db, filter, { piece: rows })) {
    if (hasLeft?.()) throw callerLeft()
    for (const versionId of await listVersionsIn(db, filter, piece)) found.add(versionId)
    looked += rows
    if (isBrief && looked >= page) break
  }
  // UUIDv7, ordered by creation.
  return [...found].sort().reverse().slice(0, maxVersions)
}
