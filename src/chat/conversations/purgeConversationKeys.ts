/** Purges unused keys of conversations. */

import { deleteKeys, listKeyedIds, listUnused } from "../../db/chats/conversations.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { batchSize } from "../../lib/batches.ts"
import { firstUuidAt } from "../../lib/ids.ts"

/** Far longer than a message takes to be answered and stored. */
const unusedMs = 86_400_000

/**
 * Purges keys whose first message was never answered and left no result: they would outlive their
 * bots. A message under such a key starts a new chat anyway.
 */
export async function purgeConversationKeys(
  { db, now }: { db: Db; now(): number },
  signal: AbortSignal,
): Promise<{ keys: number }> {
  const beforeId = firstUuidAt(now() - unusedMs)
  let keys = 0
  for (let afterId: string | undefined = firstUuidAt(0); afterId !== undefined; ) {
    signal.throwIfAborted()
    const batch = await listKeyedIds(db, { afterId, beforeId })
    const unused = await listUnused(db, batch)
    if (unused.length > 0) keys += await deleteKeys(db, unused)
    afterId = batch.length < batchSize ? undefined : batch.at(-1)
  }
  return { keys }
}
