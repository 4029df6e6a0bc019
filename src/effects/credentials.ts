/** Credentials for use: found within the workspace, decrypted, their access tokens fresh. */
import { findCredential, replaceCredentialData } from "../db/credentials.ts"
import type { Db } from "../db/open.ts"
import { type Credential, type Failure, isFailure } from "../engine/calls.ts"
import type { Cipher } from "./cipher.ts"
import { type CredentialData, secretTexts } from "./credentialTypes.ts"
import type { RefreshTokens } from "./googleAuth.ts"
import type { CallContext } from "./perform.ts"

/** A credential ready for use. */
export type OpenCredential = {
  type: string
  data: CredentialData
  /** A text that may reach logs and callers, every secret of this credential blotted out. */
  redact(text: string): string
}

/** The credentials that calls may use. */
export type Credentials = {
  /**
   * The credential of that type in the workspace of the call; a failure says `credentials` when the
   * workspace has none, when it cannot be decrypted, or when its token cannot be renewed.
   */
  find(
    credential: Credential,
    context: Pick<CallContext, "workspaceId" | "isRestricted">,
  ): Promise<OpenCredential | Failure>
}

/** What credentials are found with. */
export type CredentialParts = {
  db: Db
  cipher: Cipher
  /** Renews access tokens. */
  refreshTokens: RefreshTokens
}

/** Opens the credentials of the database. */
export function openCredentials(parts: CredentialParts): Credentials {
  return {
    async find({ id, type }, { workspaceId, isRestricted }) {
      if (isRestricted) return missing("Credentials cannot be used in an anonymous preview")
      if (workspaceId === undefined || id === "") return missing(notFound)
      const row = await findCredential(parts.db, { id, workspaceId })
      if (row?.type !== type) return missing(notFound)
      const data = parts.cipher.open(id, row) as CredentialData | undefined
      if (data === undefined) return missing("The credential cannot be decrypted with this secret")
      const fresh = await parts.refreshTokens({ id, type, data })
      if (isFailure(fresh)) return { ...fresh, reason: "credentials" }
      const stored = fresh.stored ?? (parts.cipher.isOutdated(row) ? data : undefined)
      if (stored) {
        const sealed = parts.cipher.seal(id, stored)
        await replaceCredentialData(parts.db, { id, nonce: row.nonce }, sealed)
      }
      return openCredential(type, fresh.data)
    },
  }
}

/** A credential whose data is known, for use and for tests. */
export function openCredential(type: string, data: CredentialData): OpenCredential {
  const secrets = secretTexts(type, data)
  return {
    type,
    data,
    redact: (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text),
  }
}

const notFound = "The credential was not found in the workspace of the bot"

function missing(description: string): Failure {
  return { failed: true, description, reason: "credentials" }
}
