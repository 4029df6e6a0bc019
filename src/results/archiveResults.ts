/** Archives results of a bot, or ends its chats, batch by batch. */
import type { Db } from "../db/connection/openDatabase.ts"
import { listUnarchived } from "../db/results/results.ts"
import { endSessions } from "../db/results/retention.ts"
import { deleteWithFiles, type ResultFiles } from "./deleteWithFiles.ts"
import { emptyResults } from "./emptyResults.ts"

/** Selects results of a bot: these ids, or all; archived ones are skipped. */
export type ResultSelection = readonly string[] | "all"

/** Max results archived, or whose chats are ended, at once. */
const limit = 100

/** The results to archive, and the reach of the caller. */
type Archived = {
  botId: string
  selection: ResultSelection
  /** The bots of the workspace: chats that began with one of them may be in one that is archived. */
  workspaceBotIds: readonly string[]
}

/**
 * Archives results of a bot: their answers, steps, logs, running chats and stored responses are deleted, and
 * the emptied rows stay, because usage counts them. Ids of other bots are skipped. A batch is archived as a
 * whole. Without `files` the caller removes these. Returns the count.
 */
export async function archiveResults(
  { db, files }: { db: Db; files?: ResultFiles },
  { botId, selection, workspaceBotIds }: Archived,
): Promise<number> {
  let count = 0
  for await (const results of batchesOf(db, botId, selection)) {
    const empty = () => emptyResults(db, { results, botIds: [botId], workspaceBotIds })
    if (files) await deleteWithFiles(files, results, empty)
    else await empty()
    count += results.length
  }
  return count
}

/** Ends all chats of a bot; their results stay. */
export async function endChats(db: Db, botId: string): Promise<void> {
  for await (const rows of batchesOf(db, botId, "all")) {
    await endSessions(db, { botId, resultIds: rows.map(({ resultId }) => resultId) })
  }
}

/** The results of a selection that are not archived, batch by batch. */
async function* batchesOf(db: Db, botId: string, selection: ResultSelection) {
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
