/** Tests that payments are prepared and checked at Stripe with the right keys, which are never revealed. */
import { beforeEach, expect, test } from "vitest"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { createPayments } from "../../src/effects/payment.ts"
import type { Call } from "../../src/engine/calls.ts"
import { callContext, json, plainFetch, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const stripe = await startPeer()
const live = { secretKey: "sk_live_secret", publicKey: "pk_live" }
const testKeys = { secretKey: "sk_test_secret", publicKey: "pk_test" }
const { paymentIntent, paymentCheck } = createPayments({
  credentials: wallet({
    both: { type: "stripe", data: { live, test: testKeys } },
    live: { type: "stripe", data: { live, test: { secretKey: "sk_half" } } },
  }),
  fetch: plainFetch,
  baseUrl: `${stripe.url}/v1`,
})

beforeEach(() => stripe.answers())

const ask = (parts: Partial<Call<"paymentIntent">> = {}): Call<"paymentIntent"> => ({
  kind: "paymentIntent",
  credentialsId: "both",
  isPreview: false,
  amount: 1999,
  currency: "EUR",
  ...parts,
})

const check = (parts: Partial<Call<"paymentCheck">> = {}): Call<"paymentCheck"> => ({
  kind: "paymentCheck",
  credentialsId: "both",
  isPreview: false,
  intentId: "pi_1",
  carry: "Success",
  ...parts,
})

test("prepares a payment once for repeated calls", async () => {
  stripe.answers(json({ id: "pi_1", client_secret: "pi_1_secret_2" }))
  const parts = { description: "Two tickets", receiptEmail: "ann@e.com" }
  expect(await paymentIntent(ask(parts), callContext())).toEqual({
    intentId: "pi_1",
    clientSecret: "pi_1_secret_2",
    publicKey: "pk_live",
  })
  const [request] = stripe.received
  expect(request).toMatchObject({
    method: "POST",
    path: "/v1/payment_intents",
    headers: {
      authorization: "Bearer sk_live_secret",
      "idempotency-key": "session1-1-0",
      "stripe-version": expect.stringMatching(/^20\d\d-/),
    },
  })
  const identity = String(request?.headers["x-stripe-client-user-agent"])
  expect(identity).not.toMatch(/platform|telemetry/)
  expect(Object.fromEntries(new URLSearchParams(request?.text))).toEqual({
    amount: "1999",
    currency: "eur",
    "automatic_payment_methods[enabled]": "true",
    description: "Two tickets",
    receipt_email: "ann@e.com",
  })
})

test.each([
  ["both", "pk_test", "Bearer sk_test_secret"],
  ["live", "pk_live", "Bearer sk_live_secret"],
])("previews with the test keys of %s when there is a pair", async (credentialsId, publicKey, bearer) => {
  stripe.answers(json({ id: "pi_1", client_secret: "s" }))
  const parts = { credentialsId, isPreview: true }
  expect(await paymentIntent(ask(parts), callContext())).toMatchObject({ publicKey })
  expect(stripe.received[0]?.headers.authorization).toBe(bearer)
})

test.each([
  ["succeeded", true],
  ["processing", true],
  ["requires_capture", true],
  ["requires_payment_method", false],
  ["canceled", false],
])("takes the state %s as paid: %s", async (status, succeeded) => {
  stripe.answers(json({ id: "pi_1", status }))
  expect(await paymentCheck(check(), callContext())).toEqual({ succeeded })
  expect(stripe.received[0]).toMatchObject({ method: "GET", path: "/v1/payment_intents/pi_1" })
})

test("only requests a payment, for any id", async () => {
  stripe.answers(json({ status: "succeeded" }))
  await paymentCheck(check({ intentId: "../charges?limit=1" }), callContext())
  expect(stripe.received[0]?.path).toBe("/v1/payment_intents/..%2Fcharges%3Flimit%3D1")
})

test("reports Stripe's message, without the key", async () => {
  stripe.answers(json({ error: { message: "Invalid key sk_live_secret" } }, 401))
  expect(await paymentIntent(ask(), callContext())).toEqual({
    failed: true,
    description: "Invalid key ***",
    status: 401,
    reason: "credentials",
  })
})

test("fails when the answer is not a payment, or there is none", async () => {
  stripe.answers(json({}))
  expect(await paymentIntent(ask(), callContext())).toMatchObject({ failed: true })
  expect(await paymentCheck(check(), callContext())).toMatchObject({ failed: true })
  stripe.answers((response) => response.destroy())
  expect(await paymentCheck(check(), callContext())).toMatchObject({
    failed: true,
    description: "Stripe could not be reached",
  })
})

test.each([
  ["JSON that is no object", 200, "5"],
  ["JSON that is cut off", 200, '{"id":'],
  ["a page", 502, "<html>"],
  ["an error without words", 500, '{"error":5}'],
])("fails when the answer is %s, and does not ask again", async (_, status, text) => {
  stripe.answers((response) => response.writeHead(status).end(text))
  expect(await paymentCheck(check(), callContext())).toMatchObject({ failed: true })
  expect(stripe.received).toHaveLength(1)
})

test("fails when the answer is too much", async () => {
  stripe.answers(json({ id: "pi_1", status: "succeeded", more: "x".repeat(1_000_000) }))
  expect(await paymentCheck(check(), callContext())).toMatchObject({
    description: "Stripe answers too much",
  })
})

test("follows no redirect with the key", async () => {
  stripe.answers((response) => response.writeHead(307, { location: "/elsewhere" }).end())
  expect(await paymentCheck(check(), callContext())).toMatchObject({ status: 307 })
  expect(stripe.received).toHaveLength(1)
})

test("gives up when the turn is over", async () => {
  stripe.answers(() => {})
  const context = callContext({ signal: AbortSignal.timeout(50) })
  expect(await paymentIntent(ask(), context)).toMatchObject({ reason: "timeout" })
})

test("is held back by the network guard", async () => {
  const outbound = openOutbound({ allowHosts: [] })
  const { paymentCheck: guarded } = createPayments({
    credentials: wallet({ both: { type: "stripe", data: { live } } }),
    fetch: outbound.fetch,
    baseUrl: stripe.url,
  })
  expect(await guarded(check(), callContext())).toMatchObject({ reason: "blocked" })
  expect(stripe.received).toHaveLength(0)
  await outbound.close()
})

test("prepares nothing without the account", async () => {
  const missing = ask({ credentialsId: "other" })
  expect(await paymentIntent(missing, callContext())).toMatchObject({
    reason: "credentials",
  })
  expect(stripe.received).toEqual([])
})
