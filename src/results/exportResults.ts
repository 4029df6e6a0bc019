/** Writes the results of a bot as a file, page by page. */
import { setImmediate as nextRound } from "node:timers/promises"
import { findBot } from "../db/bots/bots.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { ResultFilter } from "../db/results/listing.ts"
import type { Snapshots } from "../effects/snapshots.ts"
import { byteOrderMark, csvRow } from "../engine/recorded/csv.ts"
import { cellsOf } from "../engine/recorded/resultColumns.ts"
import type { ResultsTablePreferences } from "../engine/schema/resultsTablePreferences.ts"
import { callerLeft } from "../lib/errors.ts"
import { readResultPage } from "./listResults.ts"
import { collectColumnsOf } from "./readColumns.ts"
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
  const { botId } = filter
  const found = await findBot(ctx.db, { botId, userId: ctx.userId })
  const preferences = found?.resultsTablePreferences ?? null
  const columns = (await collectColumnsOf(ctx, filter)).arranged(
    preferences as ResultsTablePreferences | null,
  )
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
