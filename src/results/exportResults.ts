/** Writes the results of a bot as a file, page by page. */

import { findBot } from "../db/bots/bots.ts"
import { type FlowRow, findFlow, listVersionsBeside } from "../db/bots/versions.ts"
import type { Snapshots } from "../db/chats/snapshots.ts"
import type { Db } from "../db/connection/open.ts"
import type { ResultFilter } from "../db/results/listing.ts"
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

/** Who reads it. */
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

/** A table, its columns first. */
export async function* csvOf(ctx: Reader, filter: ResultFilter): AsyncGenerator<string> {
  yield byteOrderMark
  const columns = await columnsOf(ctx, filter)
  yield csvRow(columns.map(({ title }) => title))
  yield* pagesOf(ctx, filter, (result) => csvRow(cellsOf(result, columns)))
}

/** Most results of a page: the chats of this process go on between two of them. */
const mostOnPage = 60

/** About how many characters a page should print. */
const charactersOnPage = 500_000

/** Pages of results as text. They are short where results are large: none takes much memory. */
async function* pagesOf(
  ctx: Reader,
  filter: ResultFilter,
  print: (result: ResultInTable) => string,
): AsyncGenerator<string> {
  let limit = mostOnPage
  let startAt: string | undefined
  do {
    if (ctx.hasLeft?.()) throw callerLeft()
    const page = await readResultPage(ctx.db, filter, { startAt, limit })
    const results = await readResults(ctx, page.results, page.sizes)
    const text = results.map(print).join("")
    if (text !== "") yield text
    const fitting = Math.floor((charactersOnPage * results.length) / Math.max(text.length, 1))
    if (results.length > 0) limit = Math.max(1, Math.min(mostOnPage, limit * 2, fitting))
    startAt = page.next
  } while (startAt !== undefined)
}

/** The columns of the versions in a span, and of the bots that they link. */
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

/** How many versions of linked bots are looked at, of bots that they link in turn included. */
const mostLinkedVersions = 200

/** Adds what linked bots ask, and those that they link. `linked` grows meanwhile. */
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
  // Stored as it was validated when it was published.
  const flow = { version: schemaVersion, ...payload } as unknown as Flow
  return prepareBot(flow, versionId, botId)
}
