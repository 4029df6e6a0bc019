/** Keeps deleted bots as they were, so that they can be restored. */
import { type SqlBool, sql } from "kysely"
import { endPreviewsOf } from "../chats/previews.ts"
import type { Db } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import { withLockedBot } from "./withLockedBot.ts"

/** How long bots stay in the bin; a job removes them later. */
export const daysInBin = 30

/** When a bot that was deleted then is gone for good. */
export function purgeOf(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + daysInBin * 24 * 3_600_000)
}

/** Whether a bot can be restored. */
export const isRestorable = sql<SqlBool>`(bots.is_in_bin
  and bots.archived_at > now() - ${sql.lit(`${daysInBin} days`)}::interval)`

/**
 * Moves a bot to the bin: its addresses stay reserved, and its live version stays, but no chat can start, and
 * its previews end.
 * Returns false when there is nothing to move.
 */
export async function moveToBin(db: Db, botId: string): Promise<boolean> {
  const isMoved = await withLockedBot(db, { botId }, async (locked) => {
    await locked.kysely
      .updateTable("bots")
      .set({ isArchived: true, isInBin: true, archivedAt: sql<Date>`now()` })
      .where("id", "=", botId)
      .execute()
    await endPreviewsOf(locked, botId)
    return true
  })
  return isMoved ?? false
}

/** Takes a bot out of the bin. Returns false when it is not there, or no longer. */
export async function takeFromBin(db: Db, botId: string): Promise<boolean> {
  return await inTransaction(db, async (kysely) => {
    const { numUpdatedRows } = await kysely
      .updateTable("bots")
      .set({ isArchived: false, isInBin: false, archivedAt: null })
      .where("id", "=", botId)
      .where(isRestorable)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })
}
