/** Receives the events of Stripe about subscriptions, signed with the secret of the operator. */
import Stripe from "stripe"
import { z } from "zod"
import { badRequest } from "../../lib/errors.ts"
import { type Plan, plans, usualPlanLimits } from "../../lib/plans.ts"
import { applySubscription } from "../../people/applySubscription.ts"
import type { Services } from "../../routers/context.ts"
import { sendText } from "../answer.ts"
import { readText } from "../bodies/body.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf } from "../exchange.ts"

/** The events of Stripe are far smaller. */
const maxBytes = 256 * 1024
/** How old a signature may be, so that one that leaked is soon worth nothing. */
const toleranceSeconds = 300

const id = z.string().min(1).max(255)
/** Since 1970, up to the year 2100. */
const seconds = z.int().min(0).max(4_102_444_800)

const eventSchema = z.object({
  id,
  created: seconds,
  type: z.string(),
  data: z.object({ object: z.unknown() }),
})

/** The parts of a subscription that decide something here. */
const subscriptionSchema = z.object({
  id,
  customer: id,
  status: z.string().min(1).max(50),
  created: seconds,
  items: z.object({
    data: z.array(z.object({ price: z.object({ metadata: z.record(z.string(), z.string()) }) })),
  }),
})

type Receiving = Pick<Services, "db" | "log" | "settings"> & { secret: string }

/** Creates the endpoint. It is there only where the operator has set its secret. */
export function createStripeEndpoint(receiving: Receiving): Endpoint {
  return {
    path: /^\/api\/v1\/operator\/stripe\/webhook$/,
    operation: "stripeWebhook",
    answer: (exchange) => (exchange.method === "POST" ? receive(receiving, exchange) : undefined),
  }
}

async function receive({ db, log, settings, secret }: Receiving, exchange: Exchange) {
  const text = await readText(exchange, maxBytes)
  const { id: eventId, created, type, data } = verified(text, exchange, secret)
  if (type.startsWith("customer.subscription.")) {
    const { data: subscription, error } = subscriptionSchema.safeParse(data.object)
    if (error) throw badRequest("The event has no subscription of the expected form")
    const { customer, status, items } = subscription
    const plan = planOf(items.data)
    const facts = { eventId, type, customer, subscription: subscription.id }
    if (plan === null) log.warn(facts, "No price of a subscription names a plan in its metadata")
    const { outcome, workspaceId } = await applySubscription(
      db,
      {
        ...{ eventId, customer, id: subscription.id, status, plan },
        beganAt: new Date(subscription.created * 1_000),
        eventAt: new Date(created * 1_000),
      },
      settings.planLimits ?? usualPlanLimits,
    )
    const level = outcome === "unknownCustomer" ? "warn" : "info"
    log[level]({ ...facts, outcome, workspaceId }, "An event of Stripe")
  }
  sendText(exchange, 200, '{"received":true}')
}

/** The event in a body. Throws a 400 for one that Stripe has not signed, or too long ago. */
function verified(text: string, exchange: Exchange, secret: string): z.infer<typeof eventSchema> {
  const signature = headerOf(exchange.request, "stripe-signature") ?? ""
  try {
    const event = Stripe.webhooks.constructEvent(text, signature, secret, toleranceSeconds)
    return eventSchema.parse(event)
  } catch (cause) {
    if (cause instanceof z.ZodError) throw badRequest("The event is not of the expected form")
    throw badRequest("The signature of the event is not valid, or too old")
  }
}

/** The first plan that a price of a subscription names. */
function planOf(items: readonly { price: { metadata: Record<string, string> } }[]): Plan | null {
  const named = items.map(({ price }) => price.metadata.plan?.trim().toUpperCase())
  return plans.find((plan) => named.includes(plan)) ?? null
}
