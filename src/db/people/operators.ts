/** Reads and writes which users operate the service. */
import { sql } from "kysely"
import type { Source } from "../connection/openDatabase.ts"

/** Whether a user is an operator. Read at each call, so that the right ends at once in all processes. */
export async function isOperator({ kysely }: Source, userId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("isOperator", "=", true)
    .executeTakeFirst()
  return row !== undefined
}

export async function setOperator(
  { kysely }: Source,
  { userId, isOperator }: { userId: string; isOperator: boolean },
): Promise<void> {
  const change = { isOperator, updatedAt: sql<Date>`now()` }
  await kysely.updateTable("users").set(change).where("id", "=", userId).execute()
}
