/** Opens Stripe's library, all of whose requests go through the network guard. */
import type Stripe from "stripe"
import { Response } from "undici"
import { type GuardedFetch, libraryFetch } from "./network/guardedFetch.ts"
import { TooLargeError } from "./network/outbound.ts"
import { readBytes } from "./network/readBytes.ts"

/** How Stripe is reached. */
export type StripeParts = {
  fetch: GuardedFetch
  /** Scheme, host and port that stand for Stripe's; the path is always Stripe's own. */
  baseUrl?: string | undefined
}

/** The version that the library was written for; accounts may be set to any other. */
const apiVersion = "2026-10-28.endive"
const timeoutMs = 30_000
const maxAnswerBytes = 1_000_000

/** Stripe with the key of one account, until the signal ends what it does. */
export async function openStripe(
  { fetch, baseUrl = "https://api.stripe.com" }: StripeParts,
  secretKey: string,
  signal: AbortSignal,
): Promise<Stripe> {
  // Only those who are paid pay for it: it is large.
  const { default: Stripe } = await import("stripe")
  const { protocol, hostname, port } = new URL(baseUrl)
  return new Stripe(secretKey, {
    apiVersion,
    httpClient: Stripe.createFetchHttpClient(libraryFetch(wholeAnswers(fetch), signal)),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? 80 : 443),
    timeout: timeoutMs,
    // A turn that fails is repeated with the same key, which makes the same payment.
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

/** Answers that are there to their end, and are JSON objects: others would leave the library stuck. */
function wholeAnswers(fetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    const answer = await fetch(url, init)
    const text = (await readBytes(answer, maxAnswerBytes))?.toString()
    if (text === undefined) throw new TooLargeError("The response is too large")
    return new Response(/^\s*\{/.test(text) ? text : '{"error":{}}', { status: answer.status })
  }
}
