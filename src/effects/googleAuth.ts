/** Access tokens of Google accounts: renewed by refresh token (RFC 6749) or service account (RFC 7523). */
import { importPKCS8, SignJWT } from "jose"
import { LRUCache } from "lru-cache"
import { type Failure, isFailure } from "../engine/calls.ts"
import type { CredentialData } from "./credentialTypes.ts"
import type { GuardedFetch } from "./guardedFetch.ts"

/** A credential whose access token may be too old. */
export type Renewable = { id: string; type: string; data: CredentialData }

/** Data with an access token that is still good; `stored`: what must be kept of the renewal. */
export type Renewed = { data: CredentialData; stored?: CredentialData }

/** Renews the access token of a credential that has one; others come back as they are. */
export type RefreshTokens = (credential: Renewable) => Promise<Renewed | Failure>

/** How tokens are renewed. */
export type GoogleAuthParts = {
  fetch: GuardedFetch
  /** The client of this service, for credentials that name none. */
  client?: GoogleClient | undefined
  /** Absent: Google's. */
  tokenUrl?: string
}

/** A client that is registered with Google. */
export type GoogleClient = { id: string; secret: string }

type Token = { accessToken: string; expiryDate: number }

/** How one type of credential names its tokens. */
type Names = { access: string; refresh: string; expiry: string }

const namesByType: Readonly<Record<string, Names>> = {
  "google sheets": { access: "access_token", refresh: "refresh_token", expiry: "expiry_date" },
  gmail: { access: "accessToken", refresh: "refreshToken", expiry: "expiryDate" },
}

const googleTokenUrl = "https://oauth2.googleapis.com/token"
const sheetsScope = "https://www.googleapis.com/auth/spreadsheets"
const timeoutMs = 10_000

/** A token is renewed when it would expire within so many milliseconds. */
const marginMs = 60_000

/** Renews tokens; calls at the same time share one renewal, tokens of service accounts are remembered. */
export function openGoogleAuth(parts: GoogleAuthParts): RefreshTokens {
  const running = new Map<string, Promise<Renewed | Failure>>()
  const accounts = new LRUCache<string, Token>({ max: 1_000 })
  return async (credential) => {
    const names = namesByType[credential.type]
    if (names === undefined) return { data: credential.data }
    const known = running.get(credential.id)
    if (known) return known
    const renewal = renew(parts, { credential, names, accounts }).finally(() =>
      running.delete(credential.id),
    )
    running.set(credential.id, renewal)
    return renewal
  }
}

type Renewal = { credential: Renewable; names: Names; accounts: LRUCache<string, Token> }

async function renew(parts: GoogleAuthParts, renewal: Renewal): Promise<Renewed | Failure> {
  const { credential, names, accounts } = renewal
  const { data } = credential
  if (typeof data.private_key === "string") {
    const key = `${String(data.client_email)} ${data.private_key}`
    const known = accounts.get(key)
    const token = known && isFresh(known.expiryDate) ? known : await askAsAccount(parts, data)
    if (isFailure(token)) return token
    accounts.set(key, token)
    return { data: { ...data, [names.access]: token.accessToken } }
  }
  if (typeof data[names.access] === "string" && isFresh(data[names.expiry])) return { data }
  const token = await askWithRefreshToken(parts, data, names)
  if (isFailure(token)) return token
  const stored = {
    ...data,
    [names.access]: token.accessToken,
    [names.expiry]: token.expiryDate,
  }
  return { data: stored, stored }
}

function isFresh(expiryDate: unknown): boolean {
  return typeof expiryDate === "number" && expiryDate - Date.now() > marginMs
}

async function askAsAccount(
  parts: GoogleAuthParts,
  data: CredentialData,
): Promise<Token | Failure> {
  let assertion: string
  try {
    const key = await importPKCS8(String(data.private_key), "RS256")
    assertion = await new SignJWT({ scope: sheetsScope })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuer(String(data.client_email))
      .setAudience(googleTokenUrl)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key)
  } catch {
    return failed("The private key of the service account cannot be used")
  }
  return askForToken(parts, {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion,
  })
}

async function askWithRefreshToken(
  parts: GoogleAuthParts,
  data: CredentialData,
  names: Names,
): Promise<Token | Failure> {
  const client = clientOf(data) ?? parts.client
  if (!client) return failed("The account names no client, and this service has none")
  return askForToken(parts, {
    grant_type: "refresh_token",
    refresh_token: String(data[names.refresh] ?? ""),
    client_id: client.id,
    client_secret: client.secret,
  })
}

function clientOf({ client, client_id, client_secret }: CredentialData): GoogleClient | undefined {
  if (typeof client_id === "string" && typeof client_secret === "string") {
    return { id: client_id, secret: client_secret }
  }
  // The only writer of `client` is the schema of the credential.
  return client as GoogleClient | undefined
}

async function askForToken(
  { fetch, tokenUrl = googleTokenUrl }: GoogleAuthParts,
  form: Record<string, string>,
): Promise<Token | Failure> {
  try {
    const response = await fetch(tokenUrl, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = (await response.json()) as Record<string, unknown>
    const { access_token: accessToken, expires_in: seconds, error } = answer
    if (typeof accessToken !== "string") {
      const code = typeof error === "string" && /^\w{1,50}$/.test(error) ? error : response.status
      return { ...failed(`Google did not renew the access: ${code}`), status: response.status }
    }
    const expiryDate = Date.now() + (typeof seconds === "number" ? seconds : 3600) * 1000
    return { accessToken, expiryDate }
  } catch {
    return failed("Google could not be reached to renew the access")
  }
}

function failed(description: string): Failure {
  return { failed: true, description }
}
