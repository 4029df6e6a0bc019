/** Finds credentials of a workspace and decrypts them, with fresh access tokens. */
import type { Db } from "../../db/connection/openDatabase.ts"
import { findCredential, replaceCredentialData } from "../../db/people/credentials.ts"
import { type Credential, type Failure, isFailure } from "../../engine/calls.ts"
import { failed } from "../failures.ts"
import type { RefreshTokens } from "../google/googleAuth.ts"
import type { CallContext } from "../perform.ts"
import type { Cipher } from "./cipher.ts"
import { isAllowedPlace } from "./credentialHosts.ts"
import { type CredentialData, secretTexts } from "./credentialTypes.ts"

/** A credential ready for use. */
export type OpenCredential = {
  type: string
  data: CredentialData
  /** Another one for each change of its data. */
  version: string
  /** Redacts every secret of this credential from a text for logs or callers. */
  redact(text: string): string
  /**
   * Returns why the secrets must not be sent to this address, or undefined if they may. To be called
   * with every address that a flow influences, in its final form.
   */
  refusalFor(address: string): Failure | undefined
}

export type Credentials = {
  /**
   * Finds the credential of that type in the workspace of the call. Fails with the reason `credentials`
   * if there is none, it cannot be decrypted, or its token cannot be renewed.
   */
  find(
    credential: Credential,
    context: Pick<CallContext, "workspaceId" | "isRestricted">,
  ): Promise<OpenCredential | Failure>
}

type CredentialDeps = {
  db: Db
  cipher: Cipher
  refreshTokens: RefreshTokens
}

export function createCredentials(deps: CredentialDeps): Credentials {
  return {
    async find({ id, type }, { workspaceId, isRestricted }) {
      if (isRestricted) return missing("Credentials cannot be used in an anonymous preview")
      if (workspaceId === undefined || id === "") return missing(notFound)
      const row = await findCredential(deps.db, { id, workspaceId })
      if (row?.type !== type) return missing(notFound)
      const data = deps.cipher.open(id, row) as CredentialData | undefined
      if (data === undefined) return missing("The credential cannot be decrypted with this secret")
      const fresh = await deps.refreshTokens({ id, type, data })
      if (isFailure(fresh)) return { ...fresh, reason: "credentials" }
      const stored = fresh.stored ?? (deps.cipher.isOutdated(row) ? data : undefined)
      if (stored) {
        const sealed = deps.cipher.seal(id, stored)
        await replaceCredentialData(deps.db, { id, nonce: row.nonce }, sealed)
      }
      const version = credentialVersion({ id, nonce: row.nonce })
      return createOpenCredential(type, fresh.data, { ...row, version })
    },
  }
}

export const credentialVersion = ({ id, nonce }: { id: string; nonce: Buffer }): string =>
  `${id} ${nonce.toString("base64")}`

/** Makes a credential from its decrypted data. */
export function createOpenCredential(
  type: string,
  data: CredentialData,
  {
    name,
    allowedHosts,
    version = name,
  }: { name: string; allowedHosts: readonly string[]; version?: string },
): OpenCredential {
  const secrets = secretTexts(type, data)
  const places = { type, data, allowedHosts }
  return {
    type,
    data,
    version,
    redact: (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text),
    refusalFor: (address) =>
      isAllowedPlace(places, address) ? undefined : hostRefusal(name, address),
  }
}

function hostRefusal(name: string, address: string): Failure {
  const host = URL.canParse(address) ? new URL(address).host : ""
  const details =
    host === ""
      ? `The address for the credential "${name}" is not valid.`
      : `The credential "${name}" does not allow the host ${host.slice(0, 300)}. ` +
        "If it is trusted, add the host to the credential's allowed hosts."
  const more = { details, reason: "credentials", isInternal: true } as const
  return failed("The account is not used for this address", more)
}

const notFound = "The credential was not found in the workspace of the bot"

function missing(description: string): Failure {
  return failed(description, { reason: "credentials" })
}
