/** Adds lines to the log of a result outside of a turn. */
import { type Insertable, sql } from "kysely"
import type { Db } from "../connection/open.ts"
import type { LogsTable } from "../schema/hotTables.ts"

/** How many lines the log of a result has. */
export async function countLogs(db: Db, resultId: string): Promise<number> {
  const row = await db.kysely
    .selectFrom("logs")
    .select(sql<number>`count(*)`.as("count"))
    .where("resultId", "=", resultId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Stores lines of one result; none is fine. */
export async function insertLogs(db: Db, logs: Insertable<LogsTable>[]): Promise<void> {
  if (logs.length > 0) await db.kysely.insertInto("logs").values(logs).execute()
}
