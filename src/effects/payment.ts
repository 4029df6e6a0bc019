/** Answers calls about payments: prepares them at Stripe and asks whether they were made. */
import type Stripe from "stripe"
import { type Failure, isFailure, type PaymentAsk, type PaymentCheckAsk } from "../engine/calls.ts"
import { pickText } from "../engine/foreignJson.ts"
import type { Credentials, OpenCredential } from "./credentials/credentials.ts"
import { networkFailure } from "./network/networkFailure.ts"
import type { CallContext, Performer } from "./perform.ts"
import { openStripe, type StripeParts } from "./stripe.ts"

/** What payments are made with. */
export type PaymentParts = StripeParts & { credentials: Credentials }

/** The money is certain, though perhaps on its way. */
const certainStates = new Set(["succeeded", "processing", "requires_capture"])

/** Opens the way to Stripe. */
export function openPayments(parts: PaymentParts): {
  paymentIntent: Performer<"paymentIntent">
  paymentCheck: Performer<"paymentCheck">
} {
  return {
    paymentIntent: {
      isOutside: () => true,
      perform: (ask, context) => prepare(parts, ask, context),
    },
    paymentCheck: {
      // It only looks, so that nobody notices a second time.
      isOutside: () => false,
      perform: (ask, context) => check(parts, ask, context),
    },
  }
}

async function prepare(parts: PaymentParts, ask: PaymentAsk, context: CallContext) {
  const keys = await keysOf(parts, ask, context)
  if (isFailure(keys)) return keys
  const { amount, currency, description, receiptEmail } = ask
  const wanted = {
    amount,
    currency: currency.toLowerCase(),
    automatic_payment_methods: { enabled: true },
    ...(description ? { description } : {}),
    ...(receiptEmail ? { receipt_email: receiptEmail } : {}),
  }
  const { idempotencyKey } = context
  const intent = await send(parts, { keys, context }, (stripe) =>
    stripe.paymentIntents.create(wanted, { idempotencyKey }),
  )
  if (isFailure(intent)) return intent
  const { id: intentId, client_secret: clientSecret } = intent
  if (!intentId || !clientSecret) return incomprehensible
  return { intentId, clientSecret, publicKey: keys.publicKey }
}

async function check(parts: PaymentParts, ask: PaymentCheckAsk, context: CallContext) {
  const keys = await keysOf(parts, ask, context)
  if (isFailure(keys)) return keys
  const intent = await send(parts, { keys, context }, (stripe) =>
    stripe.paymentIntents.retrieve(ask.intentId),
  )
  if (isFailure(intent)) return intent
  return intent.status ? { succeeded: certainStates.has(intent.status) } : incomprehensible
}

type Keys = { secretKey: string; publicKey: string; credential: OpenCredential }

/** The keys of the account: those for tests in a preview, when there are both. */
async function keysOf(
  { credentials }: PaymentParts,
  { credentialsId, isPreview }: Pick<PaymentAsk, "credentialsId" | "isPreview">,
  context: CallContext,
): Promise<Keys | Failure> {
  const credential = await credentials.find({ id: credentialsId, type: "stripe" }, context)
  if (isFailure(credential)) return credential
  const { data } = credential
  for (const mode of isPreview ? ["test", "live"] : ["live"]) {
    const secretKey = pickText(data, mode, "secretKey")
    const publicKey = pickText(data, mode, "publicKey")
    if (secretKey && publicKey) return { secretKey, publicKey, credential }
  }
  return { failed: true, description: "The account has no keys", reason: "credentials" }
}

type Payer = { keys: Keys; context: CallContext }

// Whatever Stripe sends is not checked by its library, so that all of it may be missing.
type Intent = Partial<Stripe.PaymentIntent>

async function send(
  parts: PaymentParts,
  { keys, context }: Payer,
  request: (stripe: Stripe) => Promise<Intent>,
): Promise<Intent | Failure> {
  const stripe = await openStripe(parts, keys.secretKey, context.signal)
  const { StripeError, StripeConnectionError } = stripe.errors
  try {
    return await request(stripe)
  } catch (error) {
    if (error instanceof StripeConnectionError) return networkFailure(error.detail, "Stripe")
    if (!(error instanceof StripeError)) return networkFailure(error, "Stripe")
    const { statusCode: status } = error
    return {
      failed: true,
      description: keys.credential.redact(error.message) || `Stripe refused with status ${status}`,
      ...(status === undefined ? {} : { status }),
      ...(status === 401 ? { reason: "credentials" } : {}),
    }
  }
}

const incomprehensible: Failure = { failed: true, description: "Stripe's answer is incomplete" }
