/** Credentials for use: found within the workspace, decrypted, their access tokens fresh. */

import type { Db } from "../../db/connection/open.ts"
import { findCredential, replaceCredentialData } from "../../db/people/credentials.ts"
import { type Credential, type Failure, isFailure } from "../../engine/calls.ts"
import type { RefreshTokens } from "../google/googleAuth.ts"
import type { CallContext } from "../perform.ts"
import type { Cipher } from "./cipher.ts"
import { isAllowedPlace } from "./credentialHosts.ts"
import { type CredentialData, secretTexts } from "./credentialTypes.ts"

/** A credential ready for use. */
export type OpenCredential = {
  type: string
  data: CredentialData
  /** A text that may reach logs and callers, every secret of this credential blotted out. */
  redact(text: string): string
  /**
   * Why its secrets must not be sent to this address; undefined: they may. To be asked of every
   * address that anything of a flow has a part in, once nothing more is put into it.
   */
  refusalFor(address: string): Failure | undefined
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
      return openCredential(type, fresh.data, row)
    },
  }
}

/** What people call a credential, and the hosts that its owner allows it. */
export type CredentialLabel = { name: string; allowedHosts: readonly string[] }

/** A credential whose data is known, for use and for tests. */
export function openCredential(
  type: string,
  data: CredentialData,
  { name, allowedHosts }: CredentialLabel,
): OpenCredential {
  const secrets = secretTexts(type, data)
  const places = { type, data, allowedHosts }
  return {
    type,
    data,
    redact: (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text),
    refusalFor: (address) => (isAllowedPlace(places, address) ? undefined : kept(name, address)),
  }
}

function kept(name: string, address: string): Failure {
  const host = URL.canParse(address) ? new URL(address).host : ""
  const details =
    host === ""
      ? `The address for the credential "${name}" is none.`
      : `The credential "${name}" does not allow the host ${host.slice(0, 300)}. ` +
        "If it is trusted, add the host to the credential's allowed hosts."
  const description = "The account is not used for this address"
  return { failed: true, description, details, reason: "credentials", isInternal: true }
}

const notFound = "The credential was not found in the workspace of the bot"

function missing(description: string): Failure {
  return { failed: true, description, reason: "credentials" }
}
