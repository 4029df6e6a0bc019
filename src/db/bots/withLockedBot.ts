/** Serializes changes to the live version of a bot, or to its whole draft. */
import { type SqlBool, sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import { lockWorkspace } from "../people/workspaces.ts"
import type { BotRow } from "./bots.ts"

/** A bot whose row is locked against other changes. */
export type LockedBot = Pick<
  BotRow,
  "id" | "version" | "publicId" | "customDomain" | "revision" | "updatedAt"
>

/** Which bot to lock: with `alsoInBin` one in the bin, too. `workspaceId`: its workspace, locked before it. */
type BotToLock = { botId: string; alsoInBin?: boolean; workspaceId?: string | undefined }

/**
 * Runs a change to a bot in a transaction, and returns what it returns. Other changes of the bot wait,
 * and so does a PATCH of its draft. Returns undefined, with nothing run, when there is no such bot or
 * it is archived.
 */
export async function withLockedBot<Result>(
  db: Db,
  { botId, alsoInBin = false, workspaceId }: BotToLock,
  change: (locked: Db, bot: LockedBot) => Promise<Result>,
): Promise<Result | undefined> {
  return await inTransaction(db, async (kysely) => {
    if (workspaceId !== undefined) await lockWorkspace({ kysely }, workspaceId)
    // A statement of its own, because one that waits for a lock sees the state from before the wait.
    const bot = await kysely
      .selectFrom("bots")
      .select(["id", "version", "publicId", "customDomain", "revision", "updatedAt"])
      .where("id", "=", botId)
      .where(sql<SqlBool>`(not is_archived or (is_in_bin and ${alsoInBin}))`)
      .forUpdate()
      .executeTakeFirst()
    return bot && (await change({ ...db, kysely }, bot))
  })
}

/** Reads a bot that is locked. */
export async function findWholeBot({ kysely }: Db, botId: string): Promise<BotRow> {
  return await kysely
    .selectFrom("bots")
    .selectAll()
    .where("id", "=", botId)
    .executeTakeFirstOrThrow()
}
