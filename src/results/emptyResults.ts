/** Ends the chats of some results, and empties the results. */
import type { Db } from "../db/connection/openDatabase.ts"
import type { ResultAddress, ResultOfChat } from "../db/results/resultAddress.ts"
import { emptyResultRows, listOwned } from "../db/results/results.ts"
import { deleteSession, deleteTraffic, listSessionsOf } from "../db/results/retention.ts"
import { resultIdOfSession } from "../lib/ids.ts"

/** The results to erase, and the reach of the caller. */
type Erased = {
  results: readonly ResultOfChat[]
  /** The bots whose results may go. */
  botIds: readonly string[]
  /** The bots of the workspace: a chat that began with one of them may be in one that is erased. */
  workspaceBotIds: readonly string[]
}

/**
 * Ends the chats that may still write to some results, and empties those. A turn that is being
 * stored is waited for and then emptied, too; one that comes later finds no session. Returns those whose
 * files have to be removed once more, because uploads may have come until now.
 */
export async function emptyResults(
  db: Db,
  { results, botIds, workspaceBotIds }: Erased,
): Promise<ResultAddress[]> {
  const resultIds = beginningsOf(results)
  const beginnings = await listOwned(db, { botIds: workspaceBotIds, resultIds })
  const sessions = resultIds.length > 0 ? await listSessionsOf(db, results) : []
  for (const session of sessions) {
    // Those of the results themselves end as they are emptied.
    if (resultIds.includes(session.resultId)) await deleteSession(db, session, workspaceBotIds)
  }
  const meant = { botIds, resultIds: results.map(({ resultId }) => resultId) }
  // Before the results: a retry after a failure finds nothing by empty results.
  await deleteTraffic(db, beginnings)
  return await emptyResultRows(db, meant)
}

/** Of chats that are in a linked bot with results of its own: the results that they began with. */
export function beginningsOf(results: readonly ResultOfChat[]): string[] {
  const own = new Set(results.map(({ resultId }) => resultId))
  const owners = results.flatMap(({ lastChatSessionId: id }) => (id && resultIdOfSession(id)) || [])
  return [...new Set(owners)].filter((id) => !own.has(id))
}
