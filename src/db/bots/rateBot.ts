/** Reads what the rating of a bot depends on, and writes the rating. */
import { sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"
import type { RowChange } from "../schema/tables.ts"

/** How long a workspace is new, in days. */
const newDays = 30

/** Finds the risk of a bot, and whether its workspace is new and unverified. */
export async function findRisk({ kysely }: Db, botId: string) {
  return await kysely
    .selectFrom("bots")
    .innerJoin("workspaces as w", "w.id", "bots.workspaceId")
    .where("bots.id", "=", botId)
    .select("bots.riskLevel")
    .select(
      sql<boolean>`w.is_verified is not true and w.created_at > now() - make_interval(days => ${newDays})`.as(
        "isNewWorkspace",
      ),
    )
    .executeTakeFirst()
}

/** Writes the rating of a bot, unless an operator has set its risk. */
export async function saveRating(
  { kysely }: Db,
  botId: string,
  { riskLevel, riskFound }: Pick<RowChange<"bots">, "riskLevel" | "riskFound">,
): Promise<void> {
  await kysely
    .updateTable("bots")
    .set({ riskLevel, riskFound })
    .where("id", "=", botId)
    .where("riskLevelBy", "is", null)
    .execute()
}
