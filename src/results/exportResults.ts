/** Writes the results of a bot as a file, page by page. */
import { setImmediate as nextRound } from "node:timers/promises"
import { findBot } from "../db/bots/bots.ts"
import { type FlowRow, findFlow, listVersionsBeside } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { ResultFilter } from "../db/results/listing.ts"
import type { Snapshots } from "../effects/snapshots.ts"
import { type Bot, type Flow, linkedBotIds, prepareBot } from "../engine/bot.ts"
import { byteOrderMark, csvRow } from "../engine/recorded/csv.ts"
import { type Column, cellsOf, collectColumns } from "../engine/recorded/resultColumns.ts"
import type { ResultsTablePreferences } from "../engine/schema/resultsTablePreferences.ts"
import { callerLeft } from "../lib/errors.ts"
import { listVersionsOf, readResultPage } from "./listResults.ts"
import { type Presented, readWholeResults } from "./readResults.ts"
import { withUsage } from "./withUsage.ts"

/** Context of an export. */
type Reader = {
  db: Db
  chat: { snapshots: Snapshots }
  hasLeft: (() => boolean) | undefined
  userId: string
}

export function jsonLinesOf(ctx: Reader, filter: ResultFilter): AsyncGenerator<string> {
  return pagesOf(ctx, filter, jsonLine, (results) => withUsage(ctx.db, results))
}

function* jsonLine({ variables, answers, ...facts }: Presented): Generator<string> {
  yield JSON.stringify(facts).slice(0, -1)
  yield* jsonMember("variables", variables)
  yield* jsonMember("answers", answers)
  yield "}\n"
}

/** Prints a member with an object, entry by entry. */
function* jsonMember(name: string, entries: readonly object[]): Generator<string> {
  yield `,"${name}":[`
  for (const [index, entry] of entries.entries()) {
    if (index > 0) yield ","
    yield JSON.stringify(entry)
  }
  yield "]"
}

/** A table that begins with the titles of its columns. */
export async function* csvOf(ctx: Reader, filter: ResultFilter): AsyncGenerator<string> {
  yield byteOrderMark
  const columns = await columnsOf(ctx, filter)
  yield [...csvRow(columns.map(({ title }) => title))].join("")
  yield* pagesOf(ctx, filter, (result) => csvRow(cellsOf(result, columns)))
}

const maxOnPage = 60

/** About how many bytes of results are on a page, unless a single one has more. */
const bytesOnPage = 500_000

/** Characters printed and sent within a few milliseconds. */
const charactersAtOnce = 100_000

async function* pagesOf(
  ctx: Reader,
  filter: ResultFilter,
  print: (result: Presented) => Iterable<string>,
  extend: (results: Presented[]) => Promise<Presented[]> = async (results) => results,
): AsyncGenerator<string> {
  let limit = maxOnPage
  let startAt: string | undefined
  do {
    if (ctx.hasLeft?.()) throw callerLeft()
    const page = await readResultPage(ctx.db, filter, { startAt, limit, most: bytesOnPage })
    const results = await readWholeResults(ctx, page.results, page.sizes)
    for (const piece of piecesOf(await extend(results), print)) {
      yield piece
      await nextRound()
    }
    // With large results, only few more are measured than fit.
    if (results.length > 0) limit = Math.min(maxOnPage, 2 * results.length)
    startAt = page.next
  } while (startAt !== undefined)
}

function* piecesOf(results: readonly Presented[], print: (result: Presented) => Iterable<string>) {
  let piece = ""
  for (const result of results) {
    for (const text of print(result)) {
      piece += text
      if (piece.length < charactersAtOnce) continue
      yield piece
      piece = ""
    }
  }
  if (piece !== "") yield piece
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
  const preferences = found?.resultsTablePreferences ?? null
  return collection.arranged(preferences as ResultsTablePreferences | null)
}

/** Max versions of linked bots read, including bots that those link in turn. */
const maxLinkedVersions = 200

/** Adds the columns of linked bots, and of those that they link: `add` puts them into `linked`. */
async function addLinked(
  { db }: Pick<Reader, "db">,
  asked: { botId: string; linked: Set<string>; add(versionId: string): Promise<void> },
): Promise<void> {
  const { botId, linked, add } = asked
  const seen = new Set([botId])
  let left = maxLinkedVersions
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
