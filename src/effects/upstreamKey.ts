/** The `Idempotency-Key` that other servers get, by which they know a repetition. */
import { createHash } from "node:crypto"

/**
 * A key of 43 letters and digits. What it is made of stays here: the key of a call names the
 * session, which is all that one needs to go on with the chat.
 */
export function upstreamKey(...parts: readonly string[]): string {
  const [first = "", ...rest] = parts
  const text = rest.length === 0 ? first : JSON.stringify(parts)
  return createHash("sha256").update(text).digest("base64url")
}
