/** Writes the results of a bot as a file, page by page. */
import { findBot } from "../db/bots/bots.ts"
import { type FlowRow, findFlow, listVersionsBeside } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/open.ts"
import type { ResultFilter } from "../db/results/listing.ts"
import type { Snapshots } from "../effects/snapshots.ts"
import { type Bot, type Flow, linkedBotIds, prepareBot } from "../engine/bot.ts"
import {
  type Column,
  cellsOf,
  collectColumns,
  type ResultInTable,
} from "../engine/recorded/columns.ts"
import { byteOrderMark, csvRow } from "../engine/recorded/csv.ts"
import type { ResultsTablePreferences } from "../engine/schema/resultsTablePreferences.ts"
import { callerLeft } from "../errors.ts"
import { listVersionsOf, readResultPage } from "./listResults.ts"
import { readResults } from "./readResults.ts"

/** Who reads the file, and what it is read with. */
type Reader = {
  db: Db
  chat: { snapshots: Snapshots }
  hasLeft: (() => boolean) | undefined
  userId: string
}

/** A line of JSON for each result. */
export function jsonLinesOf(ctx: Reader, filter: ResultFilter): AsyncGenerator<string> {
  return pagesOf(ctx, filter, (result) => `${JSON.stringify(result)}\n`)
}

/** A table that begins with the titles of its columns. */
export async function* csvOf(ctx: Reader, filter: ResultFilter): AsyncGenerator<string> {
  yield byteOrderMark
  const columns = await columnsOf(ctx, filter)
  yield csvRow(columns.map(({ title }) => title))
  yield* pagesOf(ctx, filter, (result) => csvRow(cellsOf(result, columns)))
}

/** Most results on a page. */
const mostOnPage = 60

/** About how many bytes of results are on a page: the event loop prints it in one piece, in milliseconds. */
const bytesOnPage = 500_000

/** Pages of results as text. */
async function* pagesOf(
  ctx: Reader,
  filter: ResultFilter,
  print: (result: ResultInTable) => string,
): AsyncGenerator<string> {
  let limit = mostOnPage
  let startAt: string | undefined
  do {
    if (ctx.hasLeft?.()) throw callerLeft()
    const page = await readResultPage(ctx.db, filter, { startAt, limit, most: bytesOnPage })
    const results = await readResults(ctx, page.results, page.sizes)
    if (results.length > 0) {
      yield results.map(print).join("")
      // Where results are large, few more are measured than fit.
      limit = Math.min(mostOnPage, 2 * results.length)
    }
    startAt = page.next
  } while (startAt !== undefined)
}

/** The columns of the versions in a span, and of the bots that these link. */
async function columnsOf(ctx: Reader, filter: ResultFilter): Promise<Column[]> {
  const { db, userId, hasLeft } = ctx
  const { botId } = filter
  const collection = collectColumns()
  const linked = new Set<string>()
  const add = async (versionId: string, isLinked: boolean) => {
    const row = await findFlow(db, versionId)
    if (!row) return
    const bot = botOf(row, versionId)
    collection.add(bot, { isLinked })
    for (const id of linkedBotIds(bot.flow.groups, bot.id)) linked.add(id)
  }
  for (const versionId of await listVersionsOf(db, filter, hasLeft)) await add(versionId, false)
  await addLinked(ctx, { botId, linked, add: (versionId) => add(versionId, true) })
  const found = await findBot(db, { botId, userId })
  return collection.arranged((found?.resultsTablePreferences ?? null) as Preferences)
}

type Preferences = ResultsTablePreferences | null

/** Most versions of linked bots that are looked at, including bots that those link in turn. */
const mostLinkedVersions = 200

/** Adds the columns of linked bots, and of those that they link: `add` puts them into `linked`. */
async function addLinked(
  { db }: Pick<Reader, "db">,
  asked: { botId: string; linked: Set<string>; add(versionId: string): Promise<void> },
): Promise<void> {
  const { botId, linked, add } = asked
  const seen = new Set([botId])
  let left = mostLinkedVersions
  for (;;) {
    const otherIds = [...linked].filter((id) => !seen.has(id))
    if (otherIds.length === 0 || left <= 0) return
    for (const id of otherIds) seen.add(id)
    const versionIds = await listVersionsBeside(db, { botId, otherIds, limit: left })
    for (const versionId of versionIds) await add(versionId)
    left -= versionIds.length
  }
}

function botOf({ botId, schemaVersion, payload }: FlowRow, versionId: string): Bot {
  // It was validated when it was published.
  const flow = { version: schemaVersion, ...payload } as unknown as Flow
  return prepareBot(flow, versionId, botId)
}
