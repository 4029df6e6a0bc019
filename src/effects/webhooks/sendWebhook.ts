/** Sends one event to one endpoint, through the network guard. */
import type { Response } from "undici"
import { networkFailure } from "../failures.ts"
import type { Outbound } from "../network/outbound.ts"
import { signatureHeaders } from "./webhookSignature.ts"

/** A message and its destination. */
type WebhookMessage = {
  url: string
  /** The same every time the message is sent. */
  id: string
  body: string
  /** Each of them signs the message. */
  secrets: readonly string[]
  signal?: AbortSignal | undefined
}

export type WebhookOutcome = {
  /** Null if there was no answer. */
  status: number | null
  durationMs: number
  /** The first kilobyte of the answer. */
  answer: string | null
  /** Why the delivery failed; null if it succeeded. */
  error: string | null
}

/** Sends a message; never throws because of the receiver. */
export type SendWebhook = (message: WebhookMessage) => Promise<WebhookOutcome>

/** How long a receiver may take to answer. */
export const webhookTimeoutMs = 15_000
const answerBytes = 1_024
// Far more than is read, to allow for data in flight when reading stops.
const maxBytes = 1_000_000

export function createWebhookSender(
  outbound: Pick<Outbound, "fetch">,
  timeoutMs = webhookTimeoutMs,
): SendWebhook {
  return async ({ url, id, body, secrets, signal }) => {
    const startedAt = performance.now()
    const outcome = (parts: Omit<WebhookOutcome, "durationMs">) => ({
      ...parts,
      durationMs: Math.round(performance.now() - startedAt),
    })
    try {
      const signed = signatureHeaders({ id, at: new Date(), body, secrets })
      const response = await outbound.fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...signed },
        body,
        // Redirects are not followed: the owner of the endpoint has agreed only to its address.
        redirect: "manual",
        timeoutMs,
        maxBytes,
        ...(signal && { signal }),
      })
      const { status, ok } = response
      const answer = await beginningOf(response)
      return outcome({ status, answer, error: ok ? null : `The receiver answered ${status}` })
    } catch (error) {
      const { description, details } = networkFailure(error, "The receiver")
      const words = details === undefined ? description : `${description}: ${details}`
      return outcome({ status: null, answer: null, error: words })
    }
  }
}

/** The first bytes of a body as text. An error after the status does not matter. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      size += chunk.length
      // Leaving the loop cancels the rest.
      if (size >= answerBytes) break
    }
  } catch {
    // What has been read is kept.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, answerBytes))
  return text.replaceAll("\0", "")
}
