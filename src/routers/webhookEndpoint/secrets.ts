/** Reads the secrets of an endpoint. */
import type { EndpointRow } from "../../db/events/endpoints.ts"
import type { Cipher } from "../../effects/credentials/cipher.ts"
import type { EndpointSecrets } from "../../effects/webhooks/signature.ts"

/** Returns undefined when they cannot be decrypted any more. */
export function sealedSecretsOf(
  cipher: Cipher,
  { id, data, nonce, keyId }: EndpointRow,
): EndpointSecrets | undefined {
  if (data === null || nonce === null || keyId === null) return undefined
  return cipher.open(id, { data, nonce, keyId }) as EndpointSecrets | undefined
}
