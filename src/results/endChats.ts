/** Ends all chats of a bot. */
import type { Db } from "../db/connection/open.ts"
import { endSessions } from "../db/results/retention.ts"
import { batchesOf } from "./archiveResults.ts"

/** Ends all chats of a bot; their results stay. */
export async function endChats(db: Db, botId: string): Promise<void> {
  for await (const rows of batchesOf(db, botId, "all")) {
    await endSessions(db, { botId, resultIds: rows.map(({ resultId }) => resultId) })
  }
}
