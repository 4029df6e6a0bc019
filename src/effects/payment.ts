/** Performs calls for payments: prepares them with Stripe, and checks whether they were made. */
import type Stripe from "stripe"
import { Response } from "undici"
import { type Failure, isFailure, type PaymentAsk, type PaymentCheckAsk } from "../engine/calls.ts"
import { pickText } from "../lib/foreignJson.ts"
import { nonEmpty } from "../lib/presentMembers.ts"
import type { Credentials, OpenCredential } from "./credentials/credentials.ts"
import { failed, networkFailure } from "./failures.ts"
import { type GuardedFetch, libraryFetch, readBytes } from "./network/guardedFetch.ts"
import { TooLargeError } from "./network/outbound.ts"
import type { CallContext, Performers } from "./perform.ts"

type PaymentDeps = StripeOptions & { credentials: Credentials }
type Payments = Pick<Performers, "paymentIntent" | "paymentCheck">

/** States in which the money is certain, though perhaps still in transit. */
const certainStates = new Set(["succeeded", "processing", "requires_capture"])

export function createPayments(deps: PaymentDeps): Payments {
  return {
    paymentIntent: (ask, context) => prepare(deps, ask, context),
    paymentCheck: (ask, context) => check(deps, ask, context),
  }
}

async function prepare(deps: PaymentDeps, ask: PaymentAsk, context: CallContext) {
  const { amount, currency, description, receiptEmail } = ask
  const params = {
    amount,
    currency: currency.toLowerCase(),
    automatic_payment_methods: { enabled: true },
    ...nonEmpty({ description, receipt_email: receiptEmail }),
  }
  const { idempotencyKey } = context
  const sent = await send(deps, { ask, context }, (stripe) =>
    stripe.paymentIntents.create(params, { idempotencyKey }),
  )
  if (isFailure(sent)) return sent
  const { id: intentId, client_secret: clientSecret } = sent.intent
  if (!intentId || !clientSecret) return incompleteAnswer
  return { intentId, clientSecret, publicKey: sent.publicKey }
}

async function check(deps: PaymentDeps, ask: PaymentCheckAsk, context: CallContext) {
  const sent = await send(deps, { ask, context }, (stripe) =>
    stripe.paymentIntents.retrieve(ask.intentId),
  )
  if (isFailure(sent)) return sent
  const { status } = sent.intent
  return status ? { succeeded: certainStates.has(status) } : incompleteAnswer
}

type Account = Pick<PaymentAsk, "credentialsId" | "isPreview">

/** The keys of the account; in a preview the test keys, if there are any. */
async function keysOf(
  { credentials }: PaymentDeps,
  { credentialsId, isPreview }: Account,
  context: CallContext,
): Promise<{ secretKey: string; publicKey: string; credential: OpenCredential } | Failure> {
  const credential = await credentials.find({ id: credentialsId, type: "stripe" }, context)
  if (isFailure(credential)) return credential
  const { data } = credential
  for (const mode of isPreview ? ["test", "live"] : ["live"]) {
    const secretKey = pickText(data, mode, "secretKey")
    const publicKey = pickText(data, mode, "publicKey")
    if (secretKey && publicKey) return { secretKey, publicKey, credential }
  }
  return failed("The account has no keys", { reason: "credentials" })
}

// The library does not validate what Stripe sends, so anything may be missing.
type Intent = Partial<Stripe.PaymentIntent>

async function send(
  deps: PaymentDeps,
  { ask, context }: { ask: Account; context: CallContext },
  request: (stripe: Stripe) => Promise<Intent>,
): Promise<{ intent: Intent; publicKey: string } | Failure> {
  const keys = await keysOf(deps, ask, context)
  if (isFailure(keys)) return keys
  const stripe = await createStripe(deps, keys.secretKey, context.signal)
  const { StripeError, StripeConnectionError } = stripe.errors
  try {
    return { intent: await request(stripe), publicKey: keys.publicKey }
  } catch (error) {
    if (error instanceof StripeConnectionError) return networkFailure(error.detail, "Stripe")
    if (!(error instanceof StripeError)) return networkFailure(error, "Stripe")
    const { statusCode: status, message } = error
    const words = keys.credential.redact(message) || `Stripe refused with status ${status}`
    return failed(words, { status, reason: status === 401 ? "credentials" : undefined })
  }
}

const incompleteAnswer = failed("Stripe's answer is incomplete")

type StripeOptions = {
  fetch: GuardedFetch
  /** Scheme, host and port instead of Stripe's; the path stays Stripe's. */
  baseUrl?: string | undefined
}

/** The API version that the library was written for; accounts may default to another. */
const apiVersion = "2026-10-28.endive"
const timeoutMs = 30_000
const maxAnswerBytes = 1_000_000

/** Creates Stripe with the key of an account; the signal ends its requests. */
async function createStripe(
  { fetch, baseUrl = "https://api.stripe.com" }: StripeOptions,
  secretKey: string,
  signal: AbortSignal,
): Promise<Stripe> {
  // Imported on first use, because it is large.
  const { default: Stripe } = await import("stripe")
  const { protocol, hostname, port } = new URL(baseUrl)
  return new Stripe(secretKey, {
    apiVersion,
    httpClient: Stripe.createFetchHttpClient(libraryFetch(readWhole(fetch), signal)),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? 80 : 443),
    timeout: timeoutMs,
    // A failed turn is repeated with the same key, and so makes the same payment.
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

/** Reads whole answers, and replaces any that is not a JSON object: the library would hang on it. */
function readWhole(fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    const answer = await fetch(url, init)
    const text = (await readBytes(answer, maxAnswerBytes))?.toString()
    if (text === undefined) throw new TooLargeError("The response is too large")
    return new Response(/^\s*\{/.test(text) ? text : '{"error":{}}', { status: answer.status })
  }
}
