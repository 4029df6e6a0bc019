/** Deletes keys of conversations that stand for nothing. */

import { deleteKeys, listKeyedIds, listUnused } from "../../db/chats/conversations.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { batchSize } from "../../lib/batches.ts"
import { firstUuidAt } from "../../lib/ids.ts"

/** A message is answered, and its result stored, long before. */
const unusedMs = 86_400_000

/**
 * Deletes keys whose first message was never answered, which left no result: they would outlive their
 * bots. A message under such a key begins a new chat either way.
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
