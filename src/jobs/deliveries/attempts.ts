/** One attempt at a delivery: sends, and stores the outcome. */
import type { Db } from "../../db/connection/openDatabase.ts"
import type { DueDelivery } from "../../db/events/deliveries.ts"
import { disableEndpoint, noteFailure, resealEndpoint } from "../../db/events/endpoints.ts"
import type { Cipher } from "../../effects/credentials/cipher.ts"
import type { SendWebhook, WebhookOutcome } from "../../effects/webhooks/sendWebhook.ts"
import { type EndpointSecrets, signingSecrets } from "../../effects/webhooks/webhookSignature.ts"
import type { Log } from "../../telemetry/log.ts"
import type { DeliveryWatch } from "./deliveryWatch.ts"
import type { Settle } from "./settling.ts"

export type AttemptDeps = {
  db: Db
  log: Log
  cipher: Cipher
  send: SendWebhook
  settle: Settle
  watch: Pick<DeliveryWatch, "count">
  /** Notifies all processes that an endpoint was disabled. */
  subscriptions: { changed(): Promise<void> }
}

const minute = 60
const hour = 3_600

/** Seconds from each attempt to the next (Standard Webhooks); no attempt follows the last. */
export const retryDelays = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
const jitter = 0.1
/** How long an endpoint may take nothing before it is disabled. */
export const failingMs = 5 * 24 * hour * 1_000
const goneStatus = 410

type Delivery = DueDelivery & { body: string }

/** Makes an attempt; one that is given up does not count. */
export async function attempt(
  deps: AttemptDeps,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const outcome = await sendTo(deps, delivery, signal)
  const { error } = outcome
  if (signal.aborted && error !== null) return
  const { endpointId, id, attempts } = delivery
  const delay = retryDelays[attempts]
  const isLast = error === null || delay === undefined
  const state = error === null ? "delivered" : isLast ? "failed" : "pending"
  const nextSeconds = isLast ? null : delay * (1 - jitter + 2 * jitter * Math.random())
  await deps.settle({ endpointId, id, attempts, state, nextSeconds, ...outcome })
  deps.watch.count(endpointId, state)
  if (error !== null) await fail(deps, delivery, { ...outcome, error })
}

async function sendTo(
  { db, cipher, send }: AttemptDeps,
  { endpointId, url, eventId, body, data, nonce, keyId }: Delivery,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const sealed = cipher.open(endpointId, { data, nonce, keyId }) as EndpointSecrets | undefined
  if (sealed === undefined) {
    const error = "The secret of the endpoint cannot be decrypted any more: rotate it"
    return { status: null, durationMs: 0, answer: null, error }
  }
  // While the operator's secret is being replaced.
  if (cipher.isOutdated({ keyId })) {
    await resealEndpoint(db, { id: endpointId, nonce }, cipher.seal(endpointId, sealed))
  }
  const secrets = signingSecrets(sealed, Date.now())
  return await send({ url, id: eventId, body, secrets, signal })
}

/** Disables an endpoint that is gone, or that has taken nothing for days. */
async function fail(
  { db, log, subscriptions }: AttemptDeps,
  { endpointId, url }: DueDelivery,
  { status, error }: WebhookOutcome & { error: string },
): Promise<void> {
  const at = new Date()
  const since = await noteFailure(db, { endpointId, url, error, at })
  if (since === undefined) return
  const isGone = status === goneStatus
  const isFailing = at.getTime() - since.getTime() >= failingMs
  if (!isGone && !isFailing) return
  if (!(await disableEndpoint(db, endpointId, isGone ? "gone" : "failing"))) return
  const why = isGone ? "it answered 410" : "it has failed for five days"
  log.warn({ endpointId, failure: error }, `A webhook endpoint was disabled: ${why}`)
  await subscriptions.changed()
}
