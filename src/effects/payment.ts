/** Answers calls about payments: prepares them at Stripe and asks whether they were made. */
import { pickText } from "../engine/blocks/json.ts"
import { type Failure, isFailure, type PaymentAsk, type PaymentCheckAsk } from "../engine/calls.ts"
import type { Credentials, OpenCredential } from "./credentials.ts"
import type { GuardedFetch } from "./guardedFetch.ts"
import { networkFailure } from "./networkFailure.ts"
import type { CallContext, Performer } from "./perform.ts"
import { readBytes } from "./readBytes.ts"

/** What payments are made with. */
export type PaymentParts = {
  credentials: Credentials
  fetch: GuardedFetch
  /** Root of Stripe's API; absent: Stripe's own. */
  baseUrl?: string | undefined
}

// The version whose two requests these are; accounts may be set to any other.
const stripeVersion = "2024-06-20"
const timeoutMs = 30_000
const maxAnswerBytes = 1_000_000

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
  const form = new URLSearchParams({
    amount: String(amount),
    currency: currency.toLowerCase(),
    "automatic_payment_methods[enabled]": "true",
    ...(description ? { description } : {}),
    ...(receiptEmail ? { receipt_email: receiptEmail } : {}),
  })
  const intent = await send(parts, keys, {
    path: "payment_intents",
    form,
    idempotencyKey: context.idempotencyKey,
    signal: context.signal,
  })
  if (isFailure(intent)) return intent
  const intentId = pickText(intent.data, "id")
  const clientSecret = pickText(intent.data, "client_secret")
  if (!intentId || !clientSecret) return incomprehensible
  return { intentId, clientSecret, publicKey: keys.publicKey }
}

async function check(parts: PaymentParts, ask: PaymentCheckAsk, context: CallContext) {
  const keys = await keysOf(parts, ask, context)
  if (isFailure(keys)) return keys
  const path = `payment_intents/${encodeURIComponent(ask.intentId)}`
  const intent = await send(parts, keys, { path, signal: context.signal })
  if (isFailure(intent)) return intent
  const status = pickText(intent.data, "status")
  return status === undefined ? incomprehensible : { succeeded: certainStates.has(status) }
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

type Sending = {
  path: string
  /** Absent: it is only read. */
  form?: URLSearchParams
  idempotencyKey?: string
  signal: AbortSignal
}

async function send(
  { fetch, baseUrl = "https://api.stripe.com/v1" }: PaymentParts,
  { secretKey, credential }: Keys,
  { path, form, idempotencyKey, signal }: Sending,
): Promise<{ data: unknown } | Failure> {
  try {
    const response = await fetch(`${baseUrl}/${path}`, {
      method: form ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${secretKey}`,
        "stripe-version": stripeVersion,
        ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
        ...(idempotencyKey ? { "idempotency-key": idempotencyKey } : {}),
      },
      ...(form ? { body: form.toString() } : {}),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const data = parse(await readBytes(response, maxAnswerBytes))
    if (response.ok) return { data }
    const words = credential.redact(pickText(data, "error", "message") ?? "")
    const { status } = response
    const description = words || `Stripe refused with status ${status}`
    const reason = status === 401 ? { reason: "credentials" as const } : {}
    return { failed: true, description, status, ...reason }
  } catch (error) {
    return networkFailure(error, "Stripe")
  }
}

const incomprehensible: Failure = { failed: true, description: "Stripe's answer is incomplete" }

function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? "")
  } catch {
    return undefined
  }
}
