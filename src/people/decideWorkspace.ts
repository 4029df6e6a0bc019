/** Applies what operators decide about workspaces: the plan, limits and states, which take effect at once. */
import { sql } from "kysely"
import type { Db, Source } from "../db/connection/openDatabase.ts"
import { inTransaction } from "../db/connection/transactions.ts"
import { lockWorkspace, type WorkspaceRow } from "../db/people/workspaces.ts"
import { changeWorkspace, findQuotaFacts, setQuarantine } from "../db/results/usage.ts"
import { AppError } from "../lib/errors.ts"
import { monthOf, type PlanLimits, quarantineFor } from "../lib/plans.ts"

/** What operators decide; absent members stay, and null lifts a limit. */
export type WorkspaceDecision = {
  [Name in
    | "plan"
    | "isSuspended"
    | "isPastDue"
    | "isVerified"
    | "chatsHardLimit"
    | "customChatsLimit"
    | "customSeatsLimit"
    | "stripeId"]?: WorkspaceRow[Name] | undefined
}

type Deciding = { workspaceId: string; decision: WorkspaceDecision; planLimits: PlanLimits }

/** Applies a decision as a whole. Returns false when there is no such workspace; throws a 409 for a taken Stripe id. */
export async function decideWorkspace(db: Db, deciding: Deciding): Promise<boolean> {
  const { workspaceId } = deciding
  db.changeLog?.about(workspaceId)
  return await inTransaction(db, async (kysely) => {
    if (!(await lockWorkspace({ kysely }, workspaceId))) return false
    await applyDecision({ kysely }, deciding)
    return true
  })
}

/** The same for a workspace that is locked. */
export async function applyDecision(
  locked: Source,
  { workspaceId, decision, planLimits }: Deciding,
): Promise<void> {
  const { stripeId, isSuspended } = decision
  if (stripeId) await requireFreeStripeId(locked, { workspaceId, stripeId })
  await changeWorkspace(locked, workspaceId, {
    ...decision,
    ...(isSuspended === false && openedAnew),
    updatedAt: sql<Date>`now()`,
  })
  const month = { workspaceId, periodStart: monthOf(Date.now()).start }
  const facts = await findQuotaFacts(locked, month)
  const isQuarantined = facts && quarantineFor(facts, planLimits)
  if (isQuarantined !== undefined) await setQuarantine(locked, month, isQuarantined)
}

/** Counts as activity: else the next look at inactive workspaces would suspend it again. */
const openedAnew = {
  lastActivityAt: sql<Date>`now()`,
  inactiveFirstEmailSentAt: null,
  inactiveSecondEmailSentAt: null,
}

async function requireFreeStripeId(
  { kysely }: Source,
  { workspaceId, stripeId }: { workspaceId: string; stripeId: string },
): Promise<void> {
  const other = await kysely
    .selectFrom("workspaces")
    .select("id")
    .where("stripeId", "=", stripeId)
    .where("id", "<>", workspaceId)
    .executeTakeFirst()
  if (other === undefined) return
  throw new AppError("STRIPE_ID_TAKEN", `The workspace ${other.id} has this Stripe id`, {
    data: { workspaceId: other.id },
  })
}
