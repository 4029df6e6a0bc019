/** Writes what operators decide about single bots. */
import type { Db } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { RowChange } from "../schema/tables.ts"

/** Undefined members stay as they are. */
type BotDecision = Pick<RowChange<"bots">, "riskLevel" | "riskLevelBy" | "closedReason">

const columns = [
  ...(["id", "workspaceId", "name", "publicId", "closedReason"] as const),
  ...(["riskLevel", "riskFound"] as const),
]

/**
 * Applies a decision to the bot with an id or a public id, which is no id of another bot. The draft and its revision
 * stay as they are. Returns undefined when there is no such bot.
 */
export async function decideBot(
  db: Db,
  address: string,
  { riskLevel, riskLevelBy, closedReason }: BotDecision,
) {
  return await inTransaction(db, async (kysely) => {
    const found = await kysely
      .selectFrom("bots")
      .select(columns)
      .where(({ or, eb }) => or([eb("id", "=", address), eb("publicId", "=", address)]))
      .where("isArchived", "=", false)
      .executeTakeFirst()
    if (found === undefined) return undefined
    db.changeLog?.about(found.workspaceId)
    if (riskLevel === undefined && closedReason === undefined) return found
    return await kysely
      .updateTable("bots")
      .set({ riskLevel, riskLevelBy, closedReason })
      .where("id", "=", found.id)
      .returning(columns)
      .executeTakeFirst()
  })
}
