/** Workspaces as their operator sees them: plans, and what decides about new chats. */
import { sql } from "kysely"
import type { Plan } from "../../plans.ts"
import type { Db } from "../connection/open.ts"
import { quotaFacts } from "../results/usage.ts"

/** Lists all workspaces of the service with their chats of one month, oldest first. */
export async function listAllWorkspaces(db: Db, periodStart: string) {
  return await quotaFacts(db, periodStart)
    .select(["w.id", "w.name", "w.isSuspended"])
    .orderBy("w.createdAt")
    .orderBy("w.id")
    .execute()
}

/** Gives a workspace another plan. */
export async function setPlan(db: Db, workspaceId: string, plan: Plan): Promise<void> {
  await db.kysely
    .updateTable("workspaces")
    .set({ plan, updatedAt: sql<Date>`now()` })
    .where("id", "=", workspaceId)
    .execute()
}
