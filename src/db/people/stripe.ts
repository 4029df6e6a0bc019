/** Stores which events of Stripe were applied, and the subscriptions that they are about. */
import type { Plan } from "../../lib/plans.ts"
import type { Source } from "../connection/openDatabase.ts"

/** A subscription as an event shows it; without a plan that is known here, its plan is null. */
export type Subscription = {
  id: string
  workspaceId: string
  status: string
  plan: Plan | null
  beganAt: Date
  eventAt: Date
}

/** Finds the workspace of a customer. */
export async function findWorkspaceOfCustomer({ kysely }: Source, stripeId: string) {
  const workspaces = kysely.selectFrom("workspaces").select("id").where("stripeId", "=", stripeId)
  return (await workspaces.executeTakeFirst())?.id
}

/** Notes an event. Returns false when it was applied before. */
export async function insertStripeEvent({ kysely }: Source, id: string): Promise<boolean> {
  const row = await kysely
    .insertInto("stripeEvents")
    .values({ id })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a subscription. Returns false when a later event was applied before. */
export async function saveSubscription(
  { kysely }: Source,
  subscription: Subscription,
): Promise<boolean> {
  const row = await kysely
    .insertInto("stripeSubscriptions")
    .values(subscription)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(({ ref }) => ({
          workspaceId: ref("excluded.workspaceId"),
          status: ref("excluded.status"),
          plan: ref("excluded.plan"),
          eventAt: ref("excluded.eventAt"),
        }))
        .whereRef("stripeSubscriptions.eventAt", "<=", "excluded.eventAt"),
    )
    .returning("id")
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the subscriptions of a workspace, the newest first. */
export async function listSubscriptionsOf({ kysely }: Source, workspaceId: string) {
  return await kysely
    .selectFrom("stripeSubscriptions")
    .select(["status", "plan"])
    .where("workspaceId", "=", workspaceId)
    .orderBy("beganAt", "desc")
    .orderBy("id", "desc")
    .execute()
}
