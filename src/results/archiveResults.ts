/** Archives results of a bot, batch by batch. */
import type { Db } from "../db/connection/open.ts"
import { emptyResults, listUnarchived } from "../db/results/results.ts"

/** Which results of a bot: those of these ids, or all; those that are archived are passed over. */
export type ResultSelection = readonly string[] | "all"

const archivedAtOnce = 100

/**
 * Archives results of a bot: their answers, steps, logs, running chats and stored responses are deleted,
 * and the emptied rows stay, because usage counts them. Ids of other bots are passed over. A batch is
 * archived as a whole, once `before` has dealt with its ids. Returns how many there were.
 */
export async function archiveResults(
  db: Db,
  { botId, selection }: { botId: string; selection: ResultSelection },
  before: (resultIds: string[]) => Promise<void> = async () => {},
): Promise<number> {
  let count = 0
  for await (const rows of batchesOf(db, botId, selection)) {
    const resultIds = rows.map(({ resultId }) => resultId)
    await before(resultIds)
    await emptyResults(db, { botIds: [botId], resultIds })
    count += resultIds.length
  }
  return count
}

/** The results of a selection that are not archived, batch by batch. */
export async function* batchesOf(db: Db, botId: string, selection: ResultSelection) {
  const limit = archivedAtOnce
  if (selection !== "all") {
    for (let start = 0; start < selection.length; start += limit) {
      yield await listUnarchived(db, { botId, among: selection.slice(start, start + limit), limit })
    }
    return
  }
  // Ascending, so that chats that start meanwhile come last and the end is reached.
  for (let afterId: string | undefined; ; ) {
    const rows = await listUnarchived(db, { botId, afterId, limit })
    yield rows
    afterId = rows.at(-1)?.resultId
    if (rows.length < limit) return
  }
}
