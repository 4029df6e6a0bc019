/** Makes secrets for webhook endpoints, and signs messages (Standard Webhooks 1.0). */
import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"

/** The encrypted part of an endpoint. */
export type EndpointSecrets = {
  secret: string
  /** The previous secret, which also signs until a point in time (ISO 8601). */
  former?: { secret: string; until: string } | undefined
}

const secretBytes = 32

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`
}

/** The secrets that sign at a point in time, newest first. */
export function signingSecrets({ secret, former }: EndpointSecrets, nowMs: number): string[] {
  const isBoth = former !== undefined && Date.parse(former.until) > nowMs
  return isBoth ? [secret, former.secret] : [secret]
}

type MessageToSign = { id: string; at: Date; body: string; secrets: readonly string[] }

/** The headers with which a receiver can verify the origin of a message. */
export function signatureHeaders({ id, at, body, secrets }: MessageToSign): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body))
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  }
}
