/** Subscriptions at Stripe decide about workspaces: signed events, each once and in the order in which they were made. */
import Stripe from "stripe"
import { beforeEach, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { newId } from "../../src/lib/ids.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { testServer } from "../support/server.ts"

const secret = "whsec_a secret that only tests know of"
const path = "/api/v1/operator/stripe/webhook"
const url = await testDatabaseUrl()
const database = await openDatabase({ url, poolSize: 2 })
const server = await testServer({ DATABASE_URL: url, PARLEY_STRIPE_WEBHOOK_SECRET: secret })
const { workspaceId } = server
const now = () => Math.floor(Date.now() / 1_000)

/** As Stripe sends it, without members that decide nothing here. */
const eventOf = ({
  type = "updated",
  created = now(),
  status = "active",
  plan,
  customer = "cus_Qa1",
  subscription = "sub_1PgTest",
  began = 1_760_000_000,
}: {
  type?: string
  created?: number
  status?: string
  plan?: string | undefined
  customer?: string
  subscription?: string
  began?: number
}) => ({
  id: `evt_${newId()}`,
  object: "event",
  api_version: "2026-06-30.basil",
  created,
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: `customer.subscription.${type}`,
  data: {
    object: {
      id: subscription,
      object: "subscription",
      customer,
      status,
      created: began,
      cancel_at_period_end: false,
      items: {
        object: "list",
        has_more: false,
        data: [
          {
            id: "si_QTest",
            object: "subscription_item",
            quantity: 1,
            price: {
              id: "price_1PgTest",
              object: "price",
              currency: "eur",
              unit_amount: 8900,
              metadata: plan === undefined ? {} : { plan },
            },
          },
        ],
      },
      metadata: {},
    },
  },
})

/** Sends an event, signed a moment ago unless a header is given. */
async function receive(event: object | string, header?: string) {
  const payload = typeof event === "string" ? event : JSON.stringify(event)
  const signed = Stripe.webhooks.generateTestHeaderString({ payload, secret })
  const response = await fetch(server.address + path, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": header ?? signed },
    body: payload,
  })
  return { status: response.status, text: await response.text() }
}

async function workspace() {
  const { body } = await server.send("GET", `/api/v1/workspaces/${workspaceId}`)
  const { plan, isPastDue } = body.workspace as { plan: string; isPastDue: boolean }
  return { plan, isPastDue }
}

const taken = { status: 200, text: '{"received":true}' }

beforeEach(async () => {
  await database.pool.query("delete from stripe_subscriptions")
  await database.pool.query("delete from audit_log")
  await database.pool.query(
    "update workspaces set stripe_id = 'cus_Qa1', plan = 'UNLIMITED', is_past_due = false where id = $1",
    [workspaceId],
  )
})

test("a subscription gives the plan that its price names, and takes it when it ends", async () => {
  expect(await receive(eventOf({ type: "created", plan: "PRO" }))).toEqual(taken)
  expect(await workspace()).toEqual({ plan: "PRO", isPastDue: false })
  await receive(eventOf({ plan: "starter" }))
  expect(await workspace()).toEqual({ plan: "STARTER", isPastDue: false })
  await receive(eventOf({ type: "deleted", status: "canceled", plan: "STARTER" }))
  expect(await workspace()).toEqual({ plan: "FREE", isPastDue: false })
})

test.each([
  "past_due",
  "unpaid",
  "paused",
])("one that is %s is past due until it is active", async (status) => {
  await receive(eventOf({ plan: "PRO" }))
  await receive(eventOf({ plan: "PRO", status }))
  expect(await workspace()).toEqual({ plan: "PRO", isPastDue: true })
  await receive(eventOf({ plan: "PRO", status: "active" }))
  expect(await workspace()).toEqual({ plan: "PRO", isPastDue: false })
})

test("one whose first payment is not made changes nothing, and ends without a trace", async () => {
  await receive(eventOf({ type: "created", plan: "PRO", status: "incomplete" }))
  expect(await workspace()).toEqual({ plan: "UNLIMITED", isPastDue: false })
})

test("a new subscription counts, and the end of the one before it changes nothing", async () => {
  await receive(eventOf({ plan: "STARTER", subscription: "sub_old", began: 1_750_000_000 }))
  await receive(eventOf({ plan: "PRO", subscription: "sub_new", began: 1_760_000_000 }))
  expect((await workspace()).plan).toBe("PRO")
  await receive(eventOf({ type: "deleted", status: "canceled", subscription: "sub_old" }))
  expect((await workspace()).plan).toBe("PRO")
})

test("each event is applied once, also when several processes get it at once", async () => {
  const event = eventOf({ plan: "PRO" })
  const answers = await Promise.all(Array.from({ length: 5 }, () => receive(event)))
  expect(answers).toEqual(Array(5).fill(taken))
  await database.pool.query("update workspaces set plan = 'CUSTOM' where id = $1", [workspaceId])
  expect(await receive(event)).toEqual(taken)
  expect((await workspace()).plan).toBe("CUSTOM")
  const { rows } = await database.pool.query(
    "select operation, is_by_operator, user_id from audit_log",
  )
  expect(rows).toEqual([{ operation: "applyStripeEvent", is_by_operator: true, user_id: null }])
})

test("an event that was made before the last one is not applied", async () => {
  await receive(eventOf({ plan: "PRO", created: now() }))
  await receive(eventOf({ plan: "STARTER", status: "past_due", created: now() - 60 }))
  expect(await workspace()).toEqual({ plan: "PRO", isPastDue: false })
  await receive(eventOf({ plan: "STARTER", created: now() }))
  expect((await workspace()).plan).toBe("STARTER")
})

test("a price without a plan that is known leaves the plan as it is, and says whether it is paid", async () => {
  for (const plan of [undefined, "GOLD"]) {
    expect(await receive(eventOf({ plan, status: "past_due" }))).toEqual(taken)
    expect(await workspace()).toEqual({ plan: "UNLIMITED", isPastDue: true })
  }
})

test("an event about an unknown customer is taken, and applied when it is sent again once one has the id", async () => {
  const event = eventOf({ plan: "PRO", customer: "cus_later" })
  expect(await receive(event)).toEqual(taken)
  expect((await workspace()).plan).toBe("UNLIMITED")
  await database.pool.query("update workspaces set stripe_id = 'cus_later' where id = $1", [
    workspaceId,
  ])
  await receive(event)
  expect((await workspace()).plan).toBe("PRO")
})

test("what Stripe has not signed, or too long ago, changes nothing", async () => {
  const event = eventOf({ plan: "PRO" })
  const payload = JSON.stringify(event)
  const sign = (facts: object) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, ...facts })
  const forged = [
    "",
    "t=1,v1=00",
    sign({ secret: "whsec_another" }),
    sign({ timestamp: now() - 301 }),
    sign({ payload: JSON.stringify(eventOf({ plan: "STARTER" })) }),
    sign({}).replace("v1=", "v0="),
  ]
  for (const header of forged) {
    const { status, text } = await receive(payload, header)
    expect([header, status, text]).toEqual([header, 400, expect.stringContaining("signature")])
  }
  expect((await workspace()).plan).toBe("UNLIMITED")
  expect(await receive(payload, sign({ timestamp: now() - 200 }))).toEqual(taken)
  expect((await workspace()).plan).toBe("PRO")
})

test("a signed body of another form is refused, and other types of events are passed over", async () => {
  for (const body of [
    "[]",
    "{}",
    "5",
    '{"id":"evt_1","created":-1,"type":"a","data":{"object":1}}',
  ]) {
    expect((await receive(body)).status, body).toBe(400)
  }
  const event = eventOf({})
  expect((await receive({ ...event, data: { object: { id: "sub_1" } } })).status).toBe(400)
  expect(await receive({ ...event, type: "invoice.paid", data: { object: {} } })).toEqual(taken)
  const large = { ...event, padding: "x".repeat(256 * 1024) }
  expect((await receive(large)).status).toBe(413)
})

test("without the secret, and with other methods, the path is unknown", async () => {
  const plain = await testServer({ DATABASE_URL: url })
  for (const [address, method] of [
    [plain.address, "POST"],
    [server.address, "GET"],
    [server.address, "PUT"],
  ] as const) {
    const response = await fetch(address + path, {
      method,
      ...(method !== "GET" && { body: "{}" }),
    })
    expect([method, response.status]).toEqual([method, 404])
    expect(await response.text()).toContain("Unknown path")
  }
})

test("notes of events are deleted after 60 days", async () => {
  await database.pool.query("delete from stripe_events")
  await database.pool.query(
    "insert into stripe_events (id, applied_at) select n::text, now() - n * interval '1 day' from generate_series(51, 66, 5) n",
  )
  expect(await runJob(database, "purge_stripe_events")).toEqual({ events: 2 })
})
