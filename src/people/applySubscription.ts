/** Applies what Stripe says about a subscription: the plan of a workspace, and whether its payment is overdue. */
import type { Db } from "../db/connection/openDatabase.ts"
import { inTransaction } from "../db/connection/transactions.ts"
import {
  findWorkspaceOfCustomer,
  insertStripeEvent,
  listSubscriptionsOf,
  type Subscription,
  saveSubscription,
} from "../db/people/stripe.ts"
import { lockWorkspace } from "../db/people/workspaces.ts"
import type { PlanLimits } from "../lib/plans.ts"
import { openAudit } from "./audit.ts"
import { applyDecision, type WorkspaceDecision } from "./decideWorkspace.ts"

/** An event about a subscription of a customer. */
export type SubscriptionEvent = Omit<Subscription, "workspaceId"> & {
  eventId: string
  customer: string
}

/** Result of an event: `unknownCustomer` is not noted, so that Stripe can send it again once a workspace has the id. */
export type AppliedEvent = "applied" | "repeated" | "outdated" | "unknownCustomer"

/** Applies an event once, as a whole, and not after a later one of the same subscription. */
export async function applySubscription(
  db: Db,
  { eventId, customer, ...subscription }: SubscriptionEvent,
  planLimits: PlanLimits,
): Promise<{ outcome: AppliedEvent; workspaceId?: string }> {
  return await inTransaction({ kysely: db.kysely }, async (kysely) => {
    const locked = { kysely }
    const workspaceId = await findWorkspaceOfCustomer(locked, customer)
    if (workspaceId === undefined || !(await lockWorkspace(locked, workspaceId))) {
      return { outcome: "unknownCustomer" }
    }
    if (!(await insertStripeEvent(locked, eventId))) return { outcome: "repeated", workspaceId }
    if (!(await saveSubscription(locked, { ...subscription, workspaceId }))) {
      return { outcome: "outdated", workspaceId }
    }
    const decision = decisionBy(await listSubscriptionsOf(locked, workspaceId))
    if (decision) {
      await applyDecision(locked, { workspaceId, decision, planLimits })
      const input = { workspaceId }
      const audit = openAudit({ isByOperator: true, operationId: "applyStripeEvent", input })
      audit.about(workspaceId)
      await audit.write(locked)
    }
    return { outcome: "applied", workspaceId }
  })
}

const overdue = new Set(["past_due", "unpaid", "paused"])
const over = new Set(["canceled", "incomplete_expired"])
/** The first payment has not been made: nothing changes until it is. */
const unbegun = "incomplete"

/** What the newest subscription that is not over decides; once all are over, the free plan. */
function decisionBy(
  subscriptions: readonly Pick<Subscription, "status" | "plan">[],
): WorkspaceDecision | undefined {
  const begun = subscriptions.filter(({ status }) => status !== unbegun)
  const current = begun.find(({ status }) => !over.has(status))
  if (current) return { plan: current.plan ?? undefined, isPastDue: overdue.has(current.status) }
  return begun.length > 0 ? { plan: "FREE", isPastDue: false } : undefined
}
