/** Credentials for tests that need no database. */
import {
  type Credentials,
  createOpenCredential,
} from "../../src/effects/credentials/credentials.ts"
import type { CredentialData } from "../../src/effects/credentials/credentialTypes.ts"

/** Credentials by id; others, and those of another type, are missing. */
export function wallet(
  credentials: Record<
    string,
    { type: string; data: CredentialData; allowedHosts?: readonly string[] }
  >,
): Credentials {
  return {
    async find({ id, type }) {
      const known = credentials[id]
      return known?.type === type
        ? createOpenCredential(type, known.data, {
            name: id,
            allowedHosts: known.allowedHosts ?? [],
          })
        : { failed: true, description: "No such credential", reason: "credentials" }
    },
  }
}
